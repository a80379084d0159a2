# SPDX-License-Identifier: MIT
"""The `flagtree` command and the demo: what a person runs by hand. Nothing else imports this package."""
