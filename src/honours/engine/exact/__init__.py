"""The exact way: one field worked out on fractions, and the explanation this leaves behind."""
