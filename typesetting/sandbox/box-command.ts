/** Builds the command line of a box of any kind. */
import { bubblewrapCommand } from './bubblewrap.ts';
import { landlockCommand } from './landlock.ts';
import {
  type BoxExtras,
  type BoxedCommand,
  type BuiltCommand,
  isLandlock,
  type SandboxKind,
  type SandboxPaths,
} from './sandbox.ts';

/**
 * The command that runs a program in the box. Channels: descriptors above `boxInfoDescriptor` that reach the
 * program.
 */
export function boxCommand(
  kind: SandboxKind,
  paths: SandboxPaths,
  command: BoxedCommand,
  extras: BoxExtras = {},
  channels = 0,
): BuiltCommand {
  return isLandlock(kind)
    ? landlockCommand(kind, paths, command, extras, channels)
    : bubblewrapCommand(kind, paths, command, extras);
}
