/** Finds a Chromium for the browser tests, once. Without one they fail and say what to install. */

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type {} from './chromium.ts'
import { installDebian, succeeds } from './debian.ts'

export function setup(project: TestProject): void {
  project.provide('chromium', findChromium())
}

/**
 * Chromium's engine without the parts that draw a window: a page takes a third of the processor time of the whole browser
 * (0.2 s instead of 0.8 s for a new context that signs in).
 */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

function findChromium(): string {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) {
    if (runs(CHROMIUM_PATH)) return CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, which does not run.`)
  }
  const shell = () => SHELLS.flatMap(inFolders).find(runs)
  const found =
    shell() ??
    (installDebian(['chromium-headless-shell'], 'the browser tests') ? shell() : undefined) ??
    browsers().find(runs) ??
    (installDebian(['chromium'], 'the browser tests') ? browsers().find(runs) : undefined)
  if (found !== undefined) return found
  throw new Error(
    'The browser tests need Chromium, and there is none. Install it (Debian: apt-get install chromium-headless-shell; macOS: brew install --cask ' +
      'chromium; or Google Chrome), or set CHROMIUM_PATH to its executable. As root on Debian the tests install it themselves.',
  )
}

/** Where a program of this name may be. */
function inFolders(name: string): string[] {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  return folders.filter(Boolean).map((folder) => join(folder, name))
}

function browsers(): string[] {
  const apps = ['/Applications', join(homedir(), 'Applications')]
  return [
    ...BROWSERS.flatMap(inFolders),
    '/opt/google/chrome/chrome',
    ...apps.map((folder) => join(folder, 'Chromium.app/Contents/MacOS/Chromium')),
    ...apps.map((folder) => join(folder, 'Google Chrome.app/Contents/MacOS/Google Chrome')),
  ]
}

/** A file is not enough: Ubuntu's package is a pointer to a snap, which containers cannot start. */
const runs = (path: string): boolean => existsSync(path) && succeeds(path, '--version')
