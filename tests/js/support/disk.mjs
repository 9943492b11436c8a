// A small disk in memory, which a test fills. Only root can mount one.
import { spawnSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (program, ...parameters) => spawnSync(program, parameters, { encoding: "utf8" });

/** The reason why tests of a full disk are skipped; false if they are not. */
export const withoutDisk =
  (process.platform !== "linux" || process.getuid() !== 0) &&
  "only root can mount a small disk, on Linux";

/**
 * Mounts a disk of so many megabytes, for the user of `owner`. `fill` takes all its space, and
 * `free` returns it.
 */
export async function smallDisk(megabytes, { uid = 0, gid = 0 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-disk-"));
  const { status, stderr } = run(
    "mount",
    "-t",
    "tmpfs",
    "-o",
    `size=${megabytes}m,uid=${uid},gid=${gid},mode=700`,
    "tmpfs",
    folder,
  );
  if (status !== 0) {
    throw new Error(`the disk is not mounted: ${stderr}`);
  }
  const ballast = join(folder, "ballast");
  return {
    folder,
    /** Fills the disk to its last page. */
    fill() {
      const file = openSync(ballast, "w");
      try {
        for (let page = Buffer.alloc(4096); ; ) writeSync(file, page);
      } catch (error) {
        if (error.code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rm(ballast),
    async close() {
      // A process that was killed may hold the disk for a moment.
      run("umount", "-l", folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
