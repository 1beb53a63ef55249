import sys

from twins.command import main

sys.exit(main())
