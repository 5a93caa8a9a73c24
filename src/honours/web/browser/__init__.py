"""The browser edition: the same application in a browser's tab, with no server.

:mod:`~honours.web.browser.edition` writes the folder that any web space can hand out, ``host`` has
what runs around Python there, and :mod:`~honours.web.browser.tab` is the application inside.
"""
