"""Setting the App up: GitHub makes it from a manifest in the operator's browser, its keys come back to this machine.

Source of the flow: docs.github.com, "Registering a GitHub App from a manifest".

    manifest.py   what the App may do and hears of, from the one packaged file
    gate.py       who may see the page: a one-time token, then one browser; the state of the way to GitHub and back
    pages.py      the pages themselves
    register.py   from GitHub's code to the credentials file
    server.py     serves the pages until the App is made or the time is over
"""
