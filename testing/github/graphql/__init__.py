"""GraphQL: queries are executed against GitHub's published schema, reduced to what is served here."""
