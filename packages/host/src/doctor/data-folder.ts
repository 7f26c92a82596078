import { access, constants, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, type Finding, fault } from './finding.js'

/** Checks whether the embedded database exists, and whether its folder can be written. Creates nothing. */
export async function checkFolder({
  data_dir,
  folder,
}: {
  data_dir: string
  folder: string
}): Promise<{ exists: boolean } | Finding> {
  const databaseExists = await exists(join(folder, 'PG_VERSION'))
  try {
    await checkWritable(databaseExists ? folder : data_dir)
    return { exists: databaseExists }
  } catch (error) {
    return fault(
      'data folder',
      `${data_dir} cannot be written (${codeOf(error)})`,
      'Give the user that the server runs as access to it, or set DATA_DIR to another folder.',
    )
  }
}

/** Checks the folder, or the nearest existing folder above it, in which it would be created. */
async function checkWritable(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(folder), { code: 'ENOTDIR' })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    await checkWritable(dirname(folder))
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
