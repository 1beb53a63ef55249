/** How much of a long property a test tries: enough to notice at each landing, and everything before a release. */
export const thorough = (few: number, all: number): number => (process.env.L2MAC_RELEASE ? all : few);
