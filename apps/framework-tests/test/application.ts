/** The application of a page, installed, built and started as the page says, with Ostiary and the API. */

import { launchBrowser } from '@ostiary/test-kit/chromium'
import type { ServerProcess } from '@ostiary/test-kit/server'
import type { Browser } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type FrameworkPage, readPage } from './page.ts'
import { newProject, type Project } from './project.ts'
import { SECRET, startWorld } from './world.ts'

export interface Framework {
  /** The file of the page, without `.md`. */
  page: string
  /** The heading of a section of the page that is not for this application. */
  except?: string
  /** Where it has its tokens. */
  runs_in: 'browser' | 'server'
  /** More of its environment, which the page leaves at its defaults. */
  env?: Record<string, string>
}

export interface Application extends Pick<Framework, 'runs_in'> {
  text: FrameworkPage
  /** Its origin. */
  url: string
  project: Project
  server: ServerProcess
  browser: Browser
}

/**
 * Seconds that an access token is valid. Libraries in the browser refresh one minute before the end, by themselves; an application on
 * a server when it needs a token after the end.
 */
const ACCESS_TOKEN = { browser: 70, server: 5 }

export async function startApplication({ page, except, runs_in, env }: Framework): Promise<Application> {
  const text = await readPage(page, except)
  const project = await newProject(text, { CLIENT_SECRET: SECRET, ...env })
  checkVersions(text, project)
  const server = await startWorld(text, ACCESS_TOKEN[runs_in])
  await project.start()
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  return { runs_in, text, url: `http://localhost:${text.ports.app}`, project, server, browser }
}

/** "Tried with" names what is installed: with a new version of a framework the page is tried again, and says so. */
function checkVersions({ tried, commands }: FrameworkPage, { installed }: Project): void {
  const names = tried.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(commands.flatMap(packagesOf)))
  for (const { name, version } of tried) {
    const has = installed(name)
    const is_tried = has === version || has.startsWith(`${version}.`)
    expect(is_tried, `Tried with ${name} ${version}, but ${has} is installed`).toBe(true)
  }
}

/** The packages that a block installs, without their versions. */
const packagesOf = (block: string): string[] =>
  [...block.matchAll(/^npm install (.+)$/gm)].flatMap(([, words = '']) =>
    words
      .split(' ')
      .filter((word) => !word.startsWith('-'))
      .map((word) => word.replace(/(?<=.)@.*$/, '')),
  )
