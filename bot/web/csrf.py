"""That a POST was meant: a token of the session in the form, and a request that comes from our own pages."""

from __future__ import annotations

import hashlib
import hmac

from flask import Request
from werkzeug.exceptions import Forbidden

FIELD = "csrf"
FROM_US = frozenset({"same-origin"})


def token(secret: str) -> str:
    """The token of a session's forms. Nothing can be learnt from it about `secret`, the session's cookie."""
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def check(request: Request, secret: str, origin: str) -> None:
    """Raise Forbidden unless the POST comes from a form of this session. `origin` is that of our own pages.

    Browsers say where a request comes from (`Sec-Fetch-Site`, `Origin`); one that says nothing has the token alone.
    """
    site, said = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    elsewhere = (site is not None and site not in FROM_US) or (said is not None and said != origin)
    if elsewhere or not hmac.compare_digest(request.form.get(FIELD, "").encode(), token(secret).encode()):
        raise Forbidden("This form is not of your present session. Go back, load the page again and repeat it.")
