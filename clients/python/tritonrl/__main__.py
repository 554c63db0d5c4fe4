"""The command line: this process becomes the native program."""

import os
import sys

from .native import ProgramError, program, program_environment


def main():
    try:
        path = program()
        os.execve(path, ["tritonrl", *sys.argv[1:]], program_environment())
    except (OSError, ProgramError) as error:
        print(f"tritonrl: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
