/** Pictures that people bring as portraits. */
import { requestJson, request, pathOf, withToken } from './http.ts'

/** A picture that is a portrait at a table, for who may see whose it is. */
export const pictureAt = async (table: string, token: string, face: number): Promise<Blob> =>
  (await request(pathOf('tables', table, 'pictures', String(face)), withToken(token))).blob()

/** The pixels a side of what is sent: the server makes something smaller of it. */
const SIDE = 512

/** Have a picture be somebody's portrait. */
export async function uploadPicture(table: string, token: string, name: string, file: File): Promise<void> {
  const path = `${pathOf('tables', table, 'pictures')}?name=${encodeURIComponent(name)}`
  await requestJson(path, { method: 'POST', ...withToken(token), body: await squared(file) })
}

/** Its middle, small; the file itself where this browser can't read it, so that the server says what is wrong. */
async function squared(file: File): Promise<Blob> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) return file
  const side = Math.min(image.width, image.height)
  const canvas = Object.assign(document.createElement('canvas'), { width: SIDE, height: SIDE })
  const [x, y] = [(image.width - side) / 2, (image.height - side) / 2]
  canvas.getContext('2d')!.drawImage(image, x, y, side, side, 0, 0, SIDE, SIDE)
  return new Promise((done) => canvas.toBlob((blob) => done(blob ?? file), 'image/webp', 0.9))
}
