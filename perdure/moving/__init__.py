"""Memories moved between databases: a file that holds all that is known, and nothing that follows from it.

The format is JSON Lines in UTF-8, one object a line:

1. A header: ``{"format": "perdure", "version": 1, "exported_at": …, "tenant": …, "user": …}``. ``user`` is null where
   the file is of all users of the tenant.
2. Records. Each has ``type`` and ``user`` (empty for what all users of the tenant share), and the fields of:

   * ``statement``: `perdure.facts.Statement`, and ``slot_value`` (see `MovedStatement`). Facts are not in the file:
     they follow from the statements. Neither are vectors: the importer's embedder makes them.
   * ``episode``: `perdure.episodes.Episode`, its ``speaker`` and its ``session``. Those of a thread stand in their order.
   * ``policy``: a version of the user's policy, or of the tenant's; an empty ``agent`` stands for all agents.
   * ``core_block``: a version of a block of core memory.
   * ``attribute``: an attribute of the tenant's own, aliases for a built-in one, or a merged name. These and the
     tenant's policies are only in a file of all users: one user's file changes nothing for others.
3. The end: ``{"type": "end", "counts": {type: number}, "sha256": …}``, the digest of all lines before it, with their
   line ends. A file without it was cut short.

Instants are ISO 8601 with an offset. The statements of one slot stand together, in the order in which they were recorded.
A reader refuses types and fields that it does not know; a new release that adds some has a new version.

A file is untrusted. A record is refused that could not have been written here, that is of another tenant or user than
the import is for, or whose slot is not the one that its subject, attribute and value give. Ids are unique within a
user: they stay as they are, and with them what refers to them; a slot, which is not, is made anew for another scope.
"""
