# SPDX-License-Identifier: MIT
"""What FlagTree adds to upstream's NVIDIA backend: hardware facts, hints, specialisations. It registers no backend."""
