"""From what happened at the tables to who came where: exact, and explained like the awards."""
