"""The tools by which a model looks into memory, and changes it, while it replies."""
