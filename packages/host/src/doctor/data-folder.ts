import { access, constants, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Check, codeOf, fault } from './check.js'

/** Whether the embedded database is there, and can be written to. Makes nothing. */
export async function checkFolder({
  data_dir,
  folder,
}: {
  data_dir: string
  folder: string
}): Promise<{ there: boolean } | Check> {
  const there = await exists(join(folder, 'PG_VERSION'))
  try {
    await writable(there ? folder : data_dir)
    return { there }
  } catch (error) {
    return fault(
      'data folder',
      `${data_dir} cannot be written (${codeOf(error)})`,
      'Give it to the user that the server runs as, or set DATA_DIR to another folder.',
    )
  }
}

/** It, or the nearest folder above, in which it would be made. */
async function writable(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    await writable(dirname(folder))
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
