"""HTTP itself: guard, errors, protection, forms and the shape of the API."""
