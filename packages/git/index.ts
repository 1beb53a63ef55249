/** The door of the Git servers: as this computer reaches them, and as the functions of a stack do. */
export { createOwnGitServers } from "./own-servers.ts";
export type { OpenGitServers } from "./servers.ts";
export { createStackGitServers } from "./stack-servers.ts";
