"""What the dashboard's pages ask of the database: one file for each page. Every query is bounded by repository ids."""
