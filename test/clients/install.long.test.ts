import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readmeProgram } from './readme-program.ts'
import { buildClients, DIST, runNode, TARBALLS } from './unpacked.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  await buildClients()
  folder = await mkdtemp(join(tmpdir(), 'almanac-install-'))
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  const tarballs = TARBALLS.map((name) => join(DIST, `${name}.tgz`))
  await promisify(execFile)('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder })
})
afterAll(() => rm(folder, { recursive: true }))

const client = () => join(folder, 'node_modules/almanac-client')

test('npm installs both without a registry, and links the command', async () => {
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  expect(Object.keys(lock.packages).filter(Boolean)).toEqual(TARBALLS.map((name) => `node_modules/${name}`))
  const { stdout } = await promisify(execFile)(join(folder, 'node_modules/.bin/almanac-post'), ['--version'])
  expect(stdout).toBe('0.1.0\n')
})

test('publint has nothing to say', async () => {
  const { messages } = await publint({ pkgDir: client(), strict: true, pack: false })
  expect(messages).toEqual([])
})

test('the types of each form are those of its code', async () => {
  const tarball = createPackageFromTarballData(new Uint8Array(await readFile(join(DIST, 'almanac-client.tgz'))))
  const result = await checkPackage(tarball)
  expect(result.types && 'problems' in result ? result.problems : result).toEqual([])
})

/** What users of the types rely on; a line that says so must not compile. */
const USES = `
import { Almanac, ApiError, type Almanac as Client, type AlmanacEvent, handleEvent, type Post, type PostSet } from 'almanac-client'

declare const almanac: Client
export async function uses(): Promise<void> {
  const page = await almanac.postSets.list({ socialSetId: 'one', filters: { status: ['DRAFT'] } })
  const set: PostSet | undefined = page.data[0]
  for await (const each of almanac.postSets.list({ socialSetId: 'one' })) each.version.toFixed()
  if (!set) return
  // What was read may be sent back.
  await almanac.postSets.update(set.id, { posts: set.posts, approval: set.approval }, { version: set.version })
  if (set.status === 'PUBLISHED') set.posts.map(({ result }: Post) => result?.permalink)
  const status: string = set.status
  const post = set.posts.find((each) => each.accountType === 'INSTAGRAM')
  if (post?.accountType === 'INSTAGRAM') post.collaborators.join()
  const { data, serverVersion } = await almanac.notes.get('one').withResponse()
  handleEvent<void>({} as AlmanacEvent, { 'post.posted': ({ data: { postId } }) => void postId, default: () => {} })
  await almanac.importMedia(new Blob([]), { socialSetId: 'one', signal: AbortSignal.timeout(1) })
  console.log(data.hexColor, serverVersion, status, new Almanac({ url: '', key: '' }), ApiError)
  // @ts-expect-error a status that no one can ask for
  await almanac.postSets.update(set.id, { status: 'PUBLISHED' })
  // @ts-expect-error the range of notes is needed
  await almanac.notes.list({ socialSetId: 'one' })
  // @ts-expect-error a field that there is not
  await almanac.postSets.list({ socialSetId: 'one', filter: {} })
}
`

describe.each([
  ['5.9', 'node_modules/typescript-5.9'],
  ['7', 'node_modules/typescript'],
])('TypeScript %s', (version, compiler) => {
  test.each([
    ['with the types of browsers', { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }],
    ['with the types of Node alone', { lib: ['es2024'], types: ['node'] }],
  ])('checks what uses the client, as ESM and as CommonJS, %s', async (_, { lib, types }) => {
    const { version: found } = JSON.parse(await readFile(join(root, compiler, 'package.json'), 'utf8'))
    expect(found).toMatch(new RegExp(`^${version}\\.`))
    const place = await mkdtemp(join(folder, 'types-'))
    const readme = await readFile(join(client(), 'README.md'), 'utf8')
    const program = readmeProgram(readme, { client: 'almanac-client', url: 'https://almanac.test', key: 'alm_one' })
    await symlink(join(root, 'node_modules/@types'), join(place, 'types'))
    await writeFile(join(place, 'readme.ts'), program.replaceAll(/const \[brand\] = (.*)$/gm, 'const brand = $1[0]!'))
    await writeFile(join(place, 'esm.mts'), USES)
    await writeFile(join(place, 'cjs.cts'), USES)
    const options = { strict: true, noEmit: true, target: 'es2022', module: 'nodenext', skipLibCheck: false }
    const exact = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: false }
    const compilerOptions = {
      ...options,
      ...exact,
      lib,
      types,
      ...(types.length > 0 ? { typeRoots: ['./types'] } : {}),
    }
    await writeFile(
      join(place, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*.ts', '*.mts', '*.cts'] }),
    )
    // Types of Node have lines of their own that this does not look at.
    const args = [join(root, compiler, 'bin/tsc'), '-p', place, ...(types.length > 0 ? ['--skipLibCheck'] : [])]
    expect(await runNode(folder, args)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

test('a folder of its own is enough: nothing outside of the package is read', async () => {
  const alone = await mkdtemp(join(tmpdir(), 'almanac-alone-'))
  try {
    await cp(client(), join(alone, 'node_modules/almanac-client'), { recursive: true })
    const ran = await runNode(alone, [
      '--input-type=module',
      '-e',
      "console.log(typeof (await import('almanac-client')).Almanac)",
    ])
    expect(ran).toEqual({ code: 0, stdout: 'function\n', stderr: '' })
  } finally {
    await rm(alone, { recursive: true })
  }
})
