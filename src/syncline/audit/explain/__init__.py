"""What an audit found, told to people and programs: text, Markdown, HTML, SARIF. Pure; reads no repository."""
