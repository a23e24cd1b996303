import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { projectDir } from './platform.mjs'

const folder = join(projectDir, '.almanac', 'installing')

/**
 * Waits until no other process installs, then does `work`. Each process shows itself by a file before it looks for
 * others, and steps back when it sees one: so two can never both go on. A file's name says all, process and its start,
 * so that one left by a killed process is distinguished from a living one, also when its number was given away again.
 *
 * @param work gets `include(pid)`: the turn lasts as long as that process lives, should this one be killed
 */
export async function inTurn(work, say) {
  let reported = false
  for (;;) {
    const mine = show(process.pid)
    const [other] = pidsInside().filter((pid) => pid !== process.pid)
    if (other === undefined) {
      const shown = [mine]
      try {
        return await work((pid) => shown.push(show(pid)))
      } finally {
        for (const path of shown) rmSync(path, { force: true })
        removeFolder()
      }
    }
    rmSync(mine, { force: true })
    if (!reported) say(`Another process (${other}) is installing; waiting for it.`)
    reported = true
    await delay(100 + Math.random() * 200)
  }
}

function show(pid) {
  const path = join(folder, `${pid}-${startOf(pid)}`)
  for (;;) {
    // Root's data directory may be crossed by the user that its database runs as.
    mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    try {
      writeFileSync(path, '')
      return path
    } catch (error) {
      // Another process has just finished and taken the folder away.
      if (error.code !== 'ENOENT') throw error
    }
  }
}

function pidsInside() {
  const living = []
  for (const name of readdirSync(folder)) {
    const [pid, start] = name.split('-')
    if (isAlive(Number(pid)) && startOf(pid) === start) living.push(Number(pid))
    else rmSync(join(folder, name), { force: true })
  }
  return living
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** When a process started, in the kernel's ticks; `0` where the system does not say, and for one that only waits to be buried. */
function startOf(pid) {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return afterName[0] === 'Z' ? '0' : afterName[19]
  } catch {
    return '0'
  }
}

function removeFolder() {
  try {
    rmdirSync(folder)
    rmdirSync(join(folder, '..'))
  } catch {
    // Somebody waits in it, or the data directory holds more.
  }
}
