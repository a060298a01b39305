// Loads USD files with TinyUSDZ and prints what it sees of each:
//
//	node usd.mjs FOLDER a.usda b.usda …
//
// FOLDER has the npm package tinyusdz. It expects a browser, which this pretends to be.
import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";

process.type = "renderer";
globalThis.window = globalThis;
globalThis.document = { currentScript: null };
const [folder, ...files] = process.argv.slice(2);
const start = (await import(pathToFileURL(path.join(folder, "tinyusdz.js")))).default;
const usd = await start({ wasmBinary: fs.readFileSync(path.join(folder, "tinyusdz.wasm")) });
for (const file of files) {
  const scene = new usd.TinyUSDZLoaderNative();
  const seen = { file: path.basename(file), loads: scene.loadFromBinary(fs.readFileSync(file), file), fault: scene.error(), meshes: [] };
  for (let i = 0; seen.loads && i < scene.numMeshes(); i++) {
    const m = scene.getMesh(i);
    seen.meshes.push({ name: m.primName, points: m.points.length / 3 });
  }
  console.log("SEEN " + JSON.stringify(seen));
}
