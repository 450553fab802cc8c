// validate.js NODE_MODULES FILE...: what the Khronos validator thinks of glTF files. Exit 1 when it finds an error, or a
// warning that is not about the pictures themselves, which are written as they came, or about tangents, which a model
// does not hold (GLTF-LOST-TANGENTS tells).
'use strict';
const fs = require('fs');
const path = require('path');
const [modules, ...files] = process.argv.slice(2);
const validator = require(path.join(modules, 'gltf-validator'));

const severities = ['error', 'warning', 'info', 'hint'];

function beside(file) {
    return (uri) => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri)))
        .then((bytes) => new Uint8Array(bytes));
}

function matters(message) {
    const excused = message.code.startsWith('IMAGE_') || message.code === 'MESH_PRIMITIVE_GENERATED_TANGENT_SPACE';
    return message.severity === 0 || (message.severity === 1 && !excused);
}

async function main() {
    const counts = [0, 0, 0, 0];
    let bad = 0;
    for (const file of files) {
        const options = {maxIssues: 0, externalResourceFunction: beside(file)};
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options);
        for (const message of report.issues.messages) {
            counts[message.severity]++;
            if (matters(message))
                console.log(`FAIL ${file}: ${severities[message.severity]} ${message.code} ${message.pointer}: ` +
                            message.message);
        }
        bad += report.issues.messages.some(matters) ? 1 : 0;
    }
    console.log(`${files.length - bad} of ${files.length} files are fine (validator ${validator.version()}): ` +
                counts.map((count, i) => `${severities[i]} ${count}`).join(', '));
    process.exitCode = bad > 0 || files.length === 0 ? 1 : 0;
}

main().catch((error) => {
    console.log(`FAIL ${error}`);
    process.exitCode = 1;
});
