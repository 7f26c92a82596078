/** A release, as `changeset version` makes it, in a copy of what it reads and writes. */

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT, readManifest, sh } from './manifests.ts'
import { npmName, PUBLISHED } from './packages.ts'

const OSTIARY = Object.keys(PUBLISHED).map(npmName)

/** The manifests at version 0.4.2, and one changeset. */
function copyWith(changeset: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'ostiary-release-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  const folders = ['packages', 'apps', 'test'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => join(group, name)),
  )
  for (const path of [...folders, '.']) {
    const manifest = readManifest(join(ROOT, path))
    if (!manifest) continue
    const version = OSTIARY.includes(manifest.name) ? '0.4.2' : manifest.version
    mkdirSync(join(copy, path), { recursive: true })
    writeFileSync(join(copy, path, 'package.json'), JSON.stringify({ ...manifest, version }, null, 2))
  }
  for (const path of ['pnpm-workspace.yaml', '.changeset/config.json'])
    cpSync(join(ROOT, path), join(copy, path))
  writeFileSync(join(copy, '.changeset/one.md'), changeset)
  const changesets = join(copy, 'node_modules/@changesets')
  mkdirSync(dirname(changesets))
  symlinkSync(join(ROOT, 'node_modules/@changesets'), changesets, 'junction')
  return copy
}

it.each([
  ['patch', 'resource-server', '0.4.3'],
  ['minor', 'identity', '0.5.0'],
  ['minor', 'core', '0.5.0'],
  ['major', 'storage-redis', '1.0.0'],
])('a %s change of %s alone brings every package to %s, and no private one', async (bump, name, version) => {
  const copy = copyWith(`---\n"@ostiary/${name}": ${bump}\n---\n\nSomething else.\n`)
  const who = ['user.name=test', 'user.email=test@example.com', 'commit.gpgsign=false']
  const git = ['git', ...who.flatMap((setting) => ['-c', setting])]
  await sh(copy, ['git', 'init', '-q'])
  await sh(copy, ['git', 'add', '.changeset', 'packages', 'apps', 'test', 'package.json'])
  await sh(copy, [...git, 'commit', '-q', '-m', 'before'])
  await sh(copy, [process.execPath, join(ROOT, 'node_modules/@changesets/cli/bin.js'), 'version'])
  const versions = ['packages', 'apps', 'test'].flatMap((group) =>
    readdirSync(join(copy, group)).map((folder) => readManifest(join(copy, group, folder))),
  )
  for (const manifest of versions)
    expect([manifest?.name, manifest?.version]).toEqual([
      manifest?.name,
      OSTIARY.includes(manifest?.name ?? '') ? version : '0.0.0',
    ])
})
