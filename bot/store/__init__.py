"""The only SQL: tables, migrations, and one module per thing that is remembered.

Functions take an open SQLAlchemy connection, so that the caller decides what belongs to one transaction.
"""
