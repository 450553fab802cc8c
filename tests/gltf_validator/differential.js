// differential.js NODE_MODULES TRILOBITE DOCUMENT WORK: do `check` and the Khronos validator find the same errors? Both
// look at models that are broken one property at a time. What corresponds to what, and where they differ on purpose,
// stands in the tables of DOCUMENT (docs/gltf-validator.md): a difference that is not there fails. TRILOBITE_TESTS=full
// breaks every element of every array.
'use strict';
const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const mutants = require('./mutants.js');
const [modules, trilobite, document, work] = process.argv.slice(2);
const validator = require(path.join(modules, 'gltf-validator'));
const full = process.env.TRILOBITE_TESTS === 'full';

// The rows of the table below a heading, as lists of cells without backquotes.
function table(heading) {
    const lines = fs.readFileSync(document, 'utf8').split('\n');
    const rows = [];
    for (let i = lines.indexOf(heading) + 1; i > 0 && i < lines.length && !lines[i].startsWith('#'); i++)
        if (lines[i].startsWith('| `'))
            rows.push(lines[i].split('|').slice(1, -1).map((cell) => cell.trim().replace(/`/g, '')));
    return rows;
}

const findings = new Map(table('## Codes').map(([code, ours]) => [code, ours.split(', ')]));
const differences = table('## Differences'); // code, the other verdict, why

let failed = 0;
function fail(text) {
    if (failed++ < 100)
        console.log(`FAIL ${text}`);
}

// The document names every code of the validator that is an error of the core, and findings of ours that exist.
function checkTable() {
    const issues = fs.readFileSync(path.join(modules, 'gltf-validator', 'ISSUES.md'), 'utf8');
    const rules = new Set(JSON.parse(execFileSync(trilobite, ['check', '--codes', '--json'])).rules.map((r) => r.code));
    const codes = [...issues.matchAll(/^\|([A-Z0-9_]+)\|.*\|Error\|$/gm)].map((match) => match[1])
        .filter((code) => !code.startsWith('KHR_'));
    for (const code of codes)
        if (!findings.has(code))
            fail(`${code} is not in the table of ${document}`);
    for (const [code, ours] of findings) {
        if (!codes.includes(code))
            fail(`${code} is in the table of ${document}, but not an error of the validator`);
        for (const rule of ours)
            if (!rules.has(rule) && rule !== '-')
                fail(`${code}: there is no finding ${rule}`);
    }
    return codes;
}

async function khronos(bytes) {
    const options = {maxIssues: 0, externalResourceFunction: () => Promise.reject(new Error('not there'))};
    try {
        const report = await validator.validateBytes(new Uint8Array(bytes), options);
        return [...new Set(report.issues.messages.filter((m) => m.severity === 0).map((m) => m.code))];
    } catch (error) {
        return String(error).includes('could not detect') ? ['GLB_INVALID_MAGIC'] : null; // null: a bug of the validator
    }
}

// The codes of all findings and of errors; for each file, in order.
function ours(files) {
    let out;
    try {
        out = execFileSync(trilobite, ['check', '--json', ...files], {maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore']});
    } catch (error) {
        out = error.stdout; // it has findings
    }
    return JSON.parse(out).files.map(({findings: list}) => ({
        all: new Set(list.map((f) => f.code)),
        errors: new Set(list.filter((f) => f.severity === 'error' || f.severity === 'crash').map((f) => f.code)),
    }));
}

const used = new Set();
function isListed(name, other) {
    const at = differences.findIndex(([code, verdict]) => code === name && (verdict === other || verdict === 'any'));
    if (at >= 0)
        used.add(at);
    return at >= 0;
}

// One file: is it valid for both, or invalid for both, and for a reason that the table of codes knows? One mistake may
// break several rules, so one common reason is enough. `matched` collects the codes that had a finding.
function compare(name, codes, found, counts, matched) {
    const common = codes.filter((code) => (findings.get(code) || []).some((rule) => found.all.has(rule)));
    common.forEach((code) => matched.add(code));
    let verdict = 'equal';
    if (codes.length > 0 && found.errors.size === 0)
        verdict = codes.every((code) => isListed(code, 'no error')) ? 'listed' : 'different';
    else if (codes.length === 0 && found.errors.size > 0)
        verdict = [...found.errors].every((rule) => isListed(rule, 'error')) ? 'listed' : 'different';
    else if (codes.length > 0 && common.length === 0)
        verdict = 'different';
    if (verdict === 'different')
        fail(`${name}: validator ${codes.join(' ') || 'valid'}; check ${[...found.errors].join(' ') || 'valid'}`);
    counts.files++;
    counts.invalid += codes.length > 0;
    counts[verdict]++;
}

async function main() {
    const codes = checkTable(), matched = new Set(), counts = {files: 0, invalid: 0, equal: 0, listed: 0, different: 0, failed: 0};
    const list = [...mutants.byHand(), ...mutants.containers(), ...mutants.properties(full)];
    fs.rmSync(work, {recursive: true, force: true});
    fs.mkdirSync(work, {recursive: true});
    for (let start = 0; start < list.length; start += 500) {
        const part = list.slice(start, start + 500);
        const files = part.map((mutant, i) => path.join(work, `${i}.${mutant.extension}`));
        part.forEach((mutant, i) => fs.writeFileSync(files[i], mutant.bytes));
        const results = ours(files);
        for (let i = 0; i < part.length; i++) {
            const found = await khronos(part[i].bytes);
            if (found)
                compare(part[i].name, found, results[i], counts, matched);
            else
                counts.failed++;
        }
    }
    const silent = codes.filter((code) => !matched.has(code) && !(findings.get(code) || []).includes('-'));
    for (const code of silent)
        fail(`${code} never had its finding`);
    for (let i = 0; i < differences.length; i++)
        if (full && !used.has(i))
            fail(`the difference ${differences[i].slice(0, 2).join(', ')} did not occur`);
    console.log(`${counts.files} files, ${counts.invalid} of them invalid for the validator: ${counts.equal} verdicts ` +
                `agree, ${counts.listed} differ as listed (${differences.length} rows), ${counts.different} differ; ` +
                `${counts.failed} crash the validator; ${codes.length - silent.length} of ${codes.length} codes matched (validator ${validator.version()})`);
    process.exitCode = failed > 0 ? 1 : 0;
}

main().catch((error) => {
    console.log(`FAIL ${error.stack}`);
    process.exitCode = 1;
});
