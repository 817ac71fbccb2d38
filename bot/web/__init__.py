"""The pages: public ones without login, each a folder with its view and its template side by side.

`public.create_public` gives the WSGI application; `pages/` holds one folder per page; `layout.html` is the one base
page. Nothing here writes, and nothing that a visitor sends is kept.
"""
