# SPDX-License-Identifier: MIT
"""What FlagTree adds to upstream's AMD backend: hardware facts, hints, specialisations. It registers no backend."""
