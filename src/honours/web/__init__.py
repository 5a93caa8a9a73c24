"""The web application and the API: thin, they call what a user of the library calls."""
