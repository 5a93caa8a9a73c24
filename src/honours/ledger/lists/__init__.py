"""Tables a secretary asks for: points of a period, everybody's balance and rank, promotions, the
year. Each is a :class:`~honours.model.table.Table`, rendered alike by commands, pages and the
API."""
