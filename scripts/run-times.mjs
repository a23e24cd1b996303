import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { projectDir } from './platform.mjs'

const LONGEST = 25

/**
 * Prints where the minutes of a run went: its longest files, and the sum of each folder. Files run beside each other, so that
 * the sums are longer than the run.
 *
 * @param results the files of vitest's report in JSON, whose times are milliseconds since 1970
 */
export function printTimes(results) {
  const files = results
    .map(({ name, startTime, endTime }) => ({ file: relative(projectDir, name), ms: endTime - startTime }))
    .toSorted((a, b) => b.ms - a.ms)
  if (files.length < LONGEST) return
  const sums = []
  for (const { file, ms } of files) {
    const folder = folderOf(file)
    const sum = sums.find((each) => each.folder === folder) ?? { folder, of: 0, ms: 0 }
    if (sum.of === 0) sums.push(sum)
    sum.of++
    sum.ms += ms
  }
  console.log(`\nThe ${LONGEST} longest files`)
  for (const { file, ms } of files.slice(0, LONGEST)) console.log(`${inSeconds(ms)}  ${file}`)
  console.log('\nAll files of a folder')
  for (const { folder, of, ms } of sums.toSorted((a, b) => b.ms - a.ms))
    console.log(`${inSeconds(ms)}  ${folder} (${of})`)
  console.log('')
}

/** `test/e2e/dashboard`, `src/networks`: what a room or a kind of test takes. */
function folderOf(file) {
  return dirname(file)
    .split('/')
    .slice(0, file.startsWith('src/') ? 2 : 3)
    .join('/')
}

function inSeconds(ms) {
  return `${(ms / 1_000).toFixed(1).padStart(8)} s`
}

/**
 * The processor time of this process and of all that it waited for, as `36.7 min user, 15.2 min system`; without servers that
 * outlived the process that began them. Null where the system does not say.
 */
export function processorTime() {
  const time = processorMinutes()
  return time && `${time.user.toFixed(1)} min user, ${time.system.toFixed(1)} min system`
}

/** The same as numbers. */
export function processorMinutes() {
  let fields
  try {
    // proc(5): after the name come state and ten more, then utime, stime, cutime, cstime, in hundredths of a second.
    fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
  } catch {
    return null
  }
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
  return { user: (user + childrenUser) / 6_000, system: (system + childrenSystem) / 6_000 }
}
