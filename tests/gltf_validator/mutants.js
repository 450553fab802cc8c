// mutants.js: a valid glTF model with one of everything, and ways to break it.
'use strict';

const TYPES = {SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16};
const ARRAYS = {5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array,
                5126: Float32Array};
// One pixel each.
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP43+AAAARBAcAM0e2RAAAAAElFTkSuQmCC',
                        'base64');
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffd9', 'hex');

class Builder {
    constructor() {
        this.bytes = Buffer.alloc(0);
        this.gltf = {asset: {version: '2.0', generator: 'mutants', copyright: 'nobody'}, buffers: [{name: 'b'}],
                     bufferViews: [], accessors: []};
    }

    view(bytes, more) {
        this.bytes = Buffer.concat([this.bytes, Buffer.alloc((4 - this.bytes.length % 4) % 4)]);
        const view = {buffer: 0, byteOffset: this.bytes.length, byteLength: bytes.length, ...more};
        this.bytes = Buffer.concat([this.bytes, bytes]);
        return this.gltf.bufferViews.push(view) - 1;
    }

    accessor(type, componentType, values, view, more) {
        const typed = new ARRAYS[componentType](values);
        const bufferView = this.view(Buffer.from(typed.buffer), view);
        return this.gltf.accessors.push({bufferView, byteOffset: 0, componentType, count: values.length / TYPES[type],
                                         type, ...more}) - 1;
    }
}

const VERTICES = {target: 34962}, INDICES = {target: 34963};
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const repeat = (n, list) => Array.from({length: n}).flatMap(() => list);

// A quad with every attribute, a skin, a morph target and animations; cameras, images, materials.
function valid() {
    const b = new Builder(), g = b.gltf;
    const position = b.accessor('VEC3', 5126, [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], {...VERTICES, byteStride: 12},
                                {min: [0, 0, 0], max: [1, 1, 0], name: 'p'});
    const normal = b.accessor('VEC3', 5126, repeat(4, [0, 0, 1]), VERTICES);
    const tangent = b.accessor('VEC4', 5126, repeat(4, [1, 0, 0, 1]), VERTICES);
    const uv = b.accessor('VEC2', 5126, [0, 0, 1, 0, 0, 1, 1, 1], VERTICES);
    const uv1 = b.accessor('VEC2', 5123, repeat(4, [0, 65535]), VERTICES, {normalized: true});
    const color = b.accessor('VEC4', 5126, repeat(4, [1, 0.5, 0, 1]), VERTICES);
    const joints = b.accessor('VEC4', 5121, repeat(4, [0, 1, 0, 0]), VERTICES);
    const weights = b.accessor('VEC4', 5126, repeat(4, [0.5, 0.5, 0, 0]), VERTICES);
    const own = b.accessor('SCALAR', 5126, [1, 2, 3, 4], VERTICES);
    const indices = b.accessor('SCALAR', 5123, [0, 1, 2, 2, 1, 3], INDICES, {min: [0], max: [3]});
    const binds = b.accessor('MAT4', 5126, [...identity, ...identity]);
    const times = b.accessor('SCALAR', 5126, [0, 1], undefined, {min: [0], max: [1]});
    const rotations = b.accessor('VEC4', 5126, [0, 0, 0, 1, 0, 0, 1, 0]);
    const places = b.accessor('VEC3', 5126, [0, 0, 0, 0, 1, 0]);
    const cubic = b.accessor('VEC4', 5126, repeat(2, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]));
    const morphs = b.accessor('SCALAR', 5126, [0, 1]);
    const sparseIndices = b.view(Buffer.from([3, 0, 0, 0])), sparseValues = b.view(Buffer.from(new Float32Array(
        [0, 0, 2]).buffer));
    const morph = g.accessors.push({componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 2],
        sparse: {count: 1, indices: {bufferView: sparseIndices, byteOffset: 0, componentType: 5121},
                 values: {bufferView: sparseValues, byteOffset: 0}}}) - 1;
    const picture = b.view(PNG);
    Object.assign(g, {
        extensionsUsed: ['KHR_materials_unlit'],
        scene: 0,
        scenes: [{nodes: [0, 1, 3], name: 's'}],
        nodes: [{mesh: 0, skin: 0, weights: [0], name: 'skinned'},
                {children: [2], translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1]},
                {translation: [0, 1, 0], rotation: [0, 0, 0.6, 0.8], scale: [1, 2, 1]},
                {matrix: [2, 0, 0, 0, 0, 0, 3, 0, 0, -1, 0, 0, 4, 5, 6, 1], children: [4, 5, 6]},
                {camera: 0}, {camera: 1}, {mesh: 1}],
        cameras: [{type: 'perspective', perspective: {yfov: 1, znear: 0.1, zfar: 10, aspectRatio: 1}, name: 'c'},
                  {type: 'orthographic', orthographic: {xmag: 1, ymag: 1, znear: 0, zfar: 10}}],
        meshes: [{primitives: [{attributes: {POSITION: position, NORMAL: normal, TANGENT: tangent, TEXCOORD_0: uv,
                                             TEXCOORD_1: uv1, COLOR_0: color, JOINTS_0: joints, WEIGHTS_0: weights,
                                             _OWN: own},
                                indices, material: 0, mode: 4, targets: [{POSITION: morph}]}], weights: [0], name: 'm'},
                 {primitives: [{attributes: {POSITION: position, TEXCOORD_0: uv}, material: 1, mode: 5}]}],
        skins: [{joints: [1, 2], inverseBindMatrices: binds, skeleton: 1, name: 'k'}],
        animations: [{name: 'a',
                      samplers: [{input: times, output: rotations, interpolation: 'LINEAR'},
                                 {input: times, output: places, interpolation: 'STEP'},
                                 {input: times, output: cubic, interpolation: 'CUBICSPLINE'},
                                 {input: times, output: morphs}],
                      channels: [{sampler: 0, target: {node: 1, path: 'rotation'}},
                                 {sampler: 1, target: {node: 2, path: 'translation'}},
                                 {sampler: 2, target: {node: 2, path: 'rotation'}},
                                 {sampler: 3, target: {node: 0, path: 'weights'}}]}],
        materials: [{name: 'x', alphaMode: 'MASK', alphaCutoff: 0.5, doubleSided: true, emissiveFactor: [0, 0, 1],
                     pbrMetallicRoughness: {baseColorFactor: [1, 1, 1, 1], metallicFactor: 0.5, roughnessFactor: 0.5,
                                            baseColorTexture: {index: 0, texCoord: 0},
                                            metallicRoughnessTexture: {index: 1, texCoord: 1}},
                     normalTexture: {index: 1, texCoord: 0, scale: 1},
                     occlusionTexture: {index: 0, texCoord: 0, strength: 0.5}, emissiveTexture: {index: 0, texCoord: 0}},
                    {extensions: {KHR_materials_unlit: {}}, pbrMetallicRoughness: {baseColorTexture: {index: 0}}}],
        textures: [{source: 0, sampler: 0, name: 't'}, {source: 1}],
        samplers: [{magFilter: 9729, minFilter: 9987, wrapS: 10497, wrapT: 33071, name: 'f'}],
        images: [{uri: 'data:image/png;base64,' + PNG.toString('base64'), name: 'i'},
                 {bufferView: picture, mimeType: 'image/png'}],
    });
    g.buffers[0].byteLength = b.bytes.length;
    return {gltf: g, bin: b.bytes};
}

const text = (model) => {
    const gltf = JSON.parse(JSON.stringify(model.gltf));
    const buffer = Array.isArray(gltf.buffers) ? gltf.buffers[0] : null;
    if (buffer && typeof buffer === 'object' && !Array.isArray(buffer) && buffer.uri === undefined)
        buffer.uri = 'data:application/octet-stream;base64,' + model.bin.toString('base64');
    return Buffer.from(JSON.stringify(gltf));
};

// --- every property, broken in turn ---

const copy = (value) => JSON.parse(JSON.stringify(value));
const at = (root, path) => path.reduce((value, key) => value[key], root);

function* paths(value, path) {
    if (path.length > 0)
        yield path;
    if (value && typeof value === 'object')
        for (const key of Object.keys(value))
            yield* paths(value[key], [...path, Array.isArray(value) ? Number(key) : key]);
}

const general = (path) => path.map((key) => typeof key === 'number' ? '*' : key).join('/');

function replacements(value) {
    const list = [['null', null], ['true', true], ['text', 'x'], ['minus', -1], ['zero', 0], ['half', 1.5],
                  ['huge', 123456], ['list', []], ['object', {}]];
    if (Array.isArray(value) && value.length > 0) {
        list.push(['twice', [...value, value[value.length - 1]]], ['less', value.slice(1)], ['mixed', [...value, 'x']]);
        if (value.length > 1)
            list.push(['reversed', [...value].reverse()]);
    }
    if (typeof value === 'number')
        list.push(['more', value + 1], ['less', value - 1], ['as-float', null]);
    return list;
}

// Each mutant is {name, bytes}. `all`: every element of every array, otherwise one of a kind.
function* properties(all) {
    const base = valid(), seen = new Set();
    for (const path of paths(base.gltf, [])) {
        const key = general(path);
        if (!all && seen.has(key))
            continue;
        seen.add(key);
        const last = path[path.length - 1], parent = path.slice(0, -1), value = at(base.gltf, path);
        const make = (how, change) => {
            const model = {gltf: copy(base.gltf), bin: base.bin};
            change(at(model.gltf, parent));
            let bytes = text(model);
            if (how === 'as-float') // an integer written as 1.0 is one
                bytes = Buffer.from(bytes.toString().replace('"@float"', value + '.0'));
            return {name: `${path.join('.')} ${how}`, bytes, extension: 'gltf'};
        };
        yield make('removed', (owner) => Array.isArray(owner) ? owner.splice(last, 1) : delete owner[last]);
        for (const [how, put] of replacements(value))
            if (how !== 'as-float')
                yield make(how, (owner) => { owner[last] = put; });
            else if (Number.isInteger(value))
                yield make(how, (owner) => { owner[last] = '@float'; });
    }
}

// --- by hand: what a single property cannot break ---

function edit(name, change) {
    const model = valid();
    change(model.gltf, model);
    return {name, bytes: text(model), extension: 'gltf'};
}

// The bytes of an accessor, to change.
function elements(g, model, index) {
    const accessor = g.accessors[index], view = g.bufferViews[accessor.bufferView];
    const typed = ARRAYS[accessor.componentType], size = typed.BYTES_PER_ELEMENT;
    const start = view.byteOffset + (accessor.byteOffset || 0);
    const values = new typed(new Uint8Array(model.bin.subarray(start, start + view.byteLength)).buffer.slice(0,
        Math.floor(view.byteLength / size) * size));
    return {values, store: () => Buffer.from(values.buffer).copy(model.bin, start)};
}

function setElement(name, accessor, element, value) {
    return edit(name, (g, model) => {
        const e = elements(g, model, accessor(g));
        e.values[element] = value;
        e.store();
    });
}

const attribute = (semantic) => (g) => g.meshes[0].primitives[0].attributes[semantic];
const input = (g) => g.animations[0].samplers[0].input;
const output = (i) => (g) => g.animations[0].samplers[i].output;
const primitive = (g) => g.meshes[0].primitives[0];
const accessorOf = (g, semantic) => g.accessors[attribute(semantic)(g)];
const viewOf = (g, semantic) => g.bufferViews[accessorOf(g, semantic).bufferView];

function* byHand() {
    yield edit('unchanged', () => {});
    for (const [what, number] of [['NaN', NaN], ['infinite', Infinity], ['large', 7], ['negative', -7]])
        for (const semantic of ['POSITION', 'NORMAL', 'TANGENT', 'TEXCOORD_0', 'COLOR_0', 'WEIGHTS_0', '_OWN'])
            yield setElement(`${semantic} with a ${what} number`, attribute(semantic), 1, number);
    yield setElement('tangent with sign 0.5', attribute('TANGENT'), 3, 0.5);
    yield setElement('joint out of range', attribute('JOINTS_0'), 1, 9);
    yield setElement('joint twice', attribute('JOINTS_0'), 1, 0);
    yield setElement('index out of range', (g) => primitive(g).indices, 1, 9);
    yield setElement('index restarts', (g) => primitive(g).indices, 1, 65535);
    yield setElement('negative time', input, 0, -1);
    yield setElement('times that fall', input, 1, 0);
    yield setElement('rotation key not of unit length', output(0), 3, 0.5);
    yield setElement('cubic rotation key not of unit length', output(2), 7, 0.5);
    yield setElement('cubic tangent of any length', output(2), 1, 5);
    yield setElement('inverse bind matrix with perspective', (g) => g.skins[0].inverseBindMatrices, 3, 1);
    yield setElement('inverse bind matrix with w', (g) => g.skins[0].inverseBindMatrices, 15, 2);
    yield edit('restart value among enough vertices', (g, model) => {
        const count = 65536 + 16, bytes = Buffer.alloc(count * 12);
        bytes.writeFloatLE(1, 0);
        g.bufferViews.push({buffer: 0, byteOffset: model.bin.length, byteLength: bytes.length, target: 34962});
        model.bin = Buffer.concat([model.bin, bytes]);
        g.accessors.push({bufferView: g.bufferViews.length - 1, componentType: 5126, count, type: 'VEC3',
                          min: [0, 0, 0], max: [1, 0, 0]});
        g.meshes.push({primitives: [{attributes: {POSITION: g.accessors.length - 1}, indices: primitive(g).indices}]});
        g.nodes[6].mesh = 2;
        g.buffers[0].byteLength = model.bin.length;
        const e = elements(g, model, primitive(g).indices);
        e.values[0] = 65535;
        e.store();
        g.accessors[primitive(g).indices].max = [65535];
        g.meshes[0].primitives[0].indices = undefined;
        g.meshes[0].primitives[0].mode = 5;
    });
    for (const key of ['min', 'max'])
        for (const add of [-0.25, 0.25, 1e-9])
            yield edit(`${key} off by ${add}`, (g) => { accessorOf(g, 'POSITION')[key][0] += add; });
    yield edit('positions without bounds', (g) => { delete accessorOf(g, 'POSITION').min; });
    yield edit('morphed positions without bounds', (g) => { delete g.accessors[primitive(g).targets[0].POSITION].max; });
    yield edit('times without bounds', (g) => { delete g.accessors[input(g)].max; });
    yield edit('integer bounds out of the type', (g) => { g.accessors[primitive(g).indices].max = [70000]; });
    yield edit('fractional integer bounds', (g) => { g.accessors[primitive(g).indices].max = [3.5]; });
    yield edit('bounds of the wrong length', (g) => { accessorOf(g, 'POSITION').max = [1, 1]; });
    yield edit('floats normalized', (g) => { accessorOf(g, 'NORMAL').normalized = true; });
    yield edit('texture coordinates not normalized', (g) => { accessorOf(g, 'TEXCOORD_1').normalized = false; });
    yield edit('joints normalized', (g) => { accessorOf(g, 'JOINTS_0').normalized = true; });
    yield edit('indices normalized', (g) => { g.accessors[primitive(g).indices].normalized = true; });
    yield edit('own attribute of 32-bit integers', (g) => { accessorOf(g, '_OWN').componentType = 5125; });
    yield edit('joints of floats', (g) => { primitive(g).attributes.JOINTS_0 = attribute('WEIGHTS_0')(g); });
    yield edit('indices as attribute', (g) => { primitive(g).attributes._MORE = primitive(g).indices; });
    yield edit('attribute as indices', (g) => { primitive(g).indices = attribute('_OWN')(g); });
    yield edit('keys are inverse bind matrices', (g) => { g.skins[0].inverseBindMatrices = output(0)(g); });
    yield edit('too few inverse bind matrices', (g) => { g.accessors[g.skins[0].inverseBindMatrices].count = 1; });
    yield edit('times are keys', (g) => { g.animations[0].samplers[3].output = input(g); });
    yield edit('vertices in the view of indices', (g) => {
        viewOf(g, 'NORMAL').target = 34963;
    });
    yield edit('an image among vertices', (g) => { g.images[1].bufferView = accessorOf(g, 'NORMAL').bufferView; });
    yield edit('two attributes in a view without a stride', (g) => {
        g.accessors.push({...accessorOf(g, 'NORMAL')});
        primitive(g).attributes._TWO = g.accessors.length - 1;
    });
    for (const [what, view] of [['times', (g) => g.accessors[input(g)].bufferView],
                                ['keys', (g) => g.accessors[output(0)(g)].bufferView],
                                ['indices', (g) => g.accessors[primitive(g).indices].bufferView],
                                ['matrices', (g) => g.accessors[g.skins[0].inverseBindMatrices].bufferView],
                                ['an image', (g) => g.images[1].bufferView],
                                ['sparse indices', (g) => g.accessors[primitive(g).targets[0].POSITION].sparse.indices
                                    .bufferView],
                                ['sparse values', (g) => g.accessors[primitive(g).targets[0].POSITION].sparse.values
                                    .bufferView]])
        for (const byteStride of [4, 16, 64])
            yield edit(`stride ${byteStride} for ${what}`, (g) => { g.bufferViews[view(g)].byteStride = byteStride; });
    yield edit('stride that is too small', (g) => { viewOf(g, 'POSITION').byteStride = 8; });
    yield edit('stride of 6', (g) => { viewOf(g, 'POSITION').byteStride = 14; });
    yield edit('stride longer than the view', (g) => {
        viewOf(g, '_OWN').byteStride = 100;
        accessorOf(g, '_OWN').count = 1;
    });
    yield edit('view that starts at an odd byte', (g) => { viewOf(g, 'TEXCOORD_1').byteOffset += 1; });
    yield edit('accessor at an odd byte', (g) => {
        accessorOf(g, 'TEXCOORD_1').byteOffset = 2;
        accessorOf(g, 'TEXCOORD_1').count = 3;
    });
    yield edit('accessor at a quarter of a float', (g) => {
        accessorOf(g, '_OWN').byteOffset = 1;
        accessorOf(g, '_OWN').count = 3;
    });
    yield edit('three bytes a vertex', (g) => {
        Object.assign(accessorOf(g, 'JOINTS_0'), {type: 'VEC3'});
        primitive(g).attributes._BYTES = attribute('JOINTS_0')(g);
    });
    yield edit('matrices at a half word', (g) => {
        const a = g.accessors[g.skins[0].inverseBindMatrices];
        Object.assign(a, {byteOffset: 2, count: 1});
    });
    yield edit('offset without a view', (g) => { g.accessors[primitive(g).targets[0].POSITION].byteOffset = 0; });
    yield edit('sparse indices that repeat', (g, model) => {
        const s = g.accessors[primitive(g).targets[0].POSITION].sparse;
        model.bin[g.bufferViews[s.indices.bufferView].byteOffset + 1] = 3;
        s.count = 2;
        s.values.bufferView = accessorOf(g, 'NORMAL').bufferView;
    });
    yield edit('sparse index out of range', (g, model) => {
        model.bin[g.bufferViews[g.accessors[primitive(g).targets[0].POSITION].sparse.indices.bufferView].byteOffset] = 9;
    });
    yield edit('more sparse values than elements', (g) => {
        g.accessors[primitive(g).targets[0].POSITION].sparse.count = 5;
    });
    // names of attributes
    for (const name of ['POS', 'TEXCOORD', 'TEXCOORD_', 'TEXCOORD_01', 'TEXCOORD_x', 'COLOR_0_0', 'JOINTS', 'texcoord_0'])
        yield edit(`attribute ${name}`, (g) => { primitive(g).attributes[name] = attribute('_OWN')(g); });
    yield edit('TEXCOORD_3 after TEXCOORD_1', (g) => { primitive(g).attributes.TEXCOORD_3 = attribute('TEXCOORD_0')(g); });
    yield edit('COLOR_1 alone', (g) => {
        primitive(g).attributes.COLOR_1 = attribute('COLOR_0')(g);
        delete primitive(g).attributes.COLOR_0;
    });
    yield edit('a second set of joints', (g) => { primitive(g).attributes.JOINTS_1 = attribute('JOINTS_0')(g); });
    yield edit('a second set of joints and weights', (g) => {
        primitive(g).attributes.JOINTS_1 = attribute('JOINTS_0')(g);
        primitive(g).attributes.WEIGHTS_1 = attribute('WEIGHTS_0')(g);
    });
    yield edit('morph target of joints', (g) => { primitive(g).targets[0].JOINTS_0 = attribute('JOINTS_0')(g); });
    yield edit('morph target without base', (g) => { g.meshes[1].primitives[0].targets = [{NORMAL: attribute('NORMAL')(g)}]; });
    yield edit('primitives with different numbers of targets', (g) => { g.meshes[0].primitives.push(g.meshes[1].primitives[0]); });
    yield edit('morph target of another length', (g) => { g.accessors[primitive(g).targets[0].POSITION].count = 5; });
    yield edit('attributes of different lengths', (g) => { accessorOf(g, '_OWN').count = 3; });
    yield edit('weights for no targets', (g) => { g.meshes[1].weights = [1]; });
    yield edit('texture without coordinates', (g) => { delete g.meshes[1].primitives[0].attributes.TEXCOORD_0; });
    yield edit('texture with coordinates that are not there', (g) => {
        g.materials[1].pbrMetallicRoughness.baseColorTexture.texCoord = 1;
    });
    // nodes, scenes, skins
    yield edit('matrix and translation', (g) => { g.nodes[3].translation = [1, 2, 3]; });
    yield edit('matrix with shear', (g) => { g.nodes[3].matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]; });
    yield edit('matrix with perspective', (g) => { g.nodes[3].matrix[3] = 1; });
    yield edit('matrix that is flat', (g) => { g.nodes[3].matrix[0] = 0; });
    yield edit('mirrored matrix', (g) => { g.nodes[3].matrix[0] = -2; });
    yield edit('rotation not of unit length', (g) => { g.nodes[1].rotation = [0, 0, 0.5, 0.5]; });
    yield edit('rotation of zeros', (g) => { g.nodes[1].rotation = [0, 0, 0, 0]; });
    yield edit('skin without mesh', (g) => { g.nodes[6].skin = 0; delete g.nodes[6].mesh; });
    yield edit('skin on a mesh without joints', (g) => { g.nodes[0].mesh = 1; delete g.nodes[0].weights; delete g.animations; });
    yield edit('two parents', (g) => { g.nodes[1].children = [2, 4]; });
    yield edit('a loop', (g) => { g.nodes[2].children = [1]; });
    yield edit('its own child', (g) => { g.nodes[2].children = [2]; });
    yield edit('a scene of a child', (g) => { g.scenes[0].nodes = [0, 1, 2, 3]; });
    yield edit('joints outside the scene', (g) => { g.scenes[0].nodes = [0, 3]; });
    yield edit('joints of two trees', (g) => { g.skins[0].joints = [1, 4]; delete g.skins[0].skeleton; });
    yield edit('a skeleton beside the joints', (g) => { g.skins[0].skeleton = 4; });
    yield edit('a skeleton below a joint', (g) => { g.skins[0].skeleton = 2; });
    // animations
    yield edit('two channels with one target', (g) => { g.animations[0].channels[2].target = {node: 1, path: 'rotation'}; });
    yield edit('animated matrix', (g) => { g.animations[0].channels[1].target.node = 3; });
    yield edit('animated weights without targets', (g) => { g.animations[0].channels[3].target.node = 6; });
    yield edit('one key of a cubic spline', (g) => {
        g.accessors.push({...g.accessors[input(g)], count: 1, max: [0]});
        Object.assign(g.animations[0].samplers[2], {input: g.accessors.length - 1});
        g.accessors[output(2)(g)].count = 3;
    });
    yield edit('too few keys', (g) => { g.accessors[output(0)(g)].count = 1; });
    yield edit('keys of the wrong type', (g) => { g.animations[0].channels[0].target.path = 'scale'; });
    // cameras
    yield edit('camera of both kinds', (g) => { g.cameras[0].orthographic = g.cameras[1].orthographic; });
    yield edit('zfar before znear', (g) => { g.cameras[0].perspective.zfar = 0.05; });
    yield edit('xmag of 0', (g) => { g.cameras[1].orthographic.xmag = 0; });
    // images
    const dataUri = (type, bytes) => `data:${type};base64,${bytes.toString('base64')}`;
    yield edit('JPEG', (g) => { g.images[0].uri = dataUri('image/jpeg', JPEG); });
    yield edit('JPEG that ends early', (g) => { g.images[0].uri = dataUri('image/jpeg', JPEG.subarray(0, 24)); });
    yield edit('JPEG with four channels', (g) => {
        const jpeg = Buffer.from(JPEG);
        jpeg[29] = 4;
        g.images[0].uri = dataUri('image/jpeg', jpeg);
    });
    yield edit('JPEG with a segment of length 0', (g) => {
        const jpeg = Buffer.from(JPEG);
        jpeg[5] = 0;
        g.images[0].uri = dataUri('image/jpeg', jpeg);
    });
    for (const size of [10, 20, 30, 36])
        yield edit(`PNG of ${size} bytes`, (g) => { g.images[0].uri = dataUri('image/png', PNG.subarray(0, size)); });
    yield edit('PNG with a wrong header', (g) => {
        const png = Buffer.from(PNG);
        png[11] = 12;
        g.images[0].uri = dataUri('image/png', png);
    });
    yield edit('PNG that says JPEG', (g) => { g.images[1].mimeType = 'image/jpeg'; });
    yield edit('data URI of PNG that says JPEG', (g) => { g.images[0].uri = dataUri('image/jpeg', PNG); });
    yield edit('data URI of text', (g) => { g.images[0].uri = dataUri('image/png', Buffer.from('not an image at all')); });
    yield edit('WebP without its extension', (g, model) => {
        const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([34, 0, 0, 0]), Buffer.from('WEBPVP8L'),
                                    Buffer.from([20, 0, 0, 0, 0x2f, 0, 0, 0, 0, 0]), Buffer.alloc(20)]);
        g.images[0].uri = dataUri('image/webp', webp);
    });
    yield edit('image of an unknown media type', (g) => { g.images[1].mimeType = 'image/webp'; });
    yield edit('URI with a bare percent sign', (g) => { g.images[0].uri = 'pict%ure.png'; });
    yield edit('URI that starts with a colon', (g) => { g.images[0].uri = ':x'; });
    yield edit('image with URI and view', (g) => { g.images[1].uri = g.images[0].uri; });
    for (const uri of ['data:', 'data:,', 'data:image/png,abc', 'data:image/png;base64,', 'data:image/png;base64,%%%',
                       'data:image/png;base64,AA=', 'data:image/png;base64, ' + PNG.toString('base64'),
                       'DATA:image/png;base64,' + PNG.toString('base64')])
        yield edit(`image at ${uri.slice(0, 40)}`, (g) => { g.images[0].uri = uri; });
    yield edit('image without a source', (g) => { delete g.images[1].bufferView; });
    // buffers, extensions, versions
    yield edit('buffer of media type text', (g, model) => { g.buffers[0].uri = dataUri('text/plain', model.bin); });
    yield edit('buffer of media type gltf-buffer', (g, model) => {
        g.buffers[0].uri = dataUri('application/gltf-buffer', model.bin);
    });
    yield edit('buffer longer than its bytes', (g) => { g.buffers[0].byteLength += 4; });
    yield edit('buffer at a bad URI', (g) => { g.buffers[0].uri = '%x'; });
    yield edit('buffer that is not there', (g) => { g.buffers.push({byteLength: 4, uri: 'gone.bin'}); });
    yield edit('buffer without a URI that nothing uses', (g) => { g.buffers.push({byteLength: 4}); });
    yield edit('buffer without a URI that is used', (g) => {
        g.buffers.push({byteLength: 48});
        Object.assign(viewOf(g, 'POSITION'), {buffer: 1, byteOffset: 0});
    });
    yield edit('buffer without a URI and a length that is used', (g) => {
        g.buffers.push({name: 'nothing'});
        Object.assign(viewOf(g, 'POSITION'), {buffer: 1, byteOffset: 0});
    });
    yield edit('view beyond a buffer without a URI', (g) => {
        g.buffers.push({byteLength: 4});
        Object.assign(viewOf(g, 'POSITION'), {buffer: 1, byteOffset: 0});
    });
    yield edit('translation beyond single precision', (g) => { g.nodes[2].translation = [0, 1e300, 0]; });
    yield edit('times without a view', (g) => {
        delete g.accessors[input(g)].bufferView;
        delete g.accessors[input(g)].byteOffset;
    });
    yield edit('minVersion that is an object', (g) => { g.asset.minVersion = {}; });
    // a little shear, where columns are upright, turned or mirrored
    for (const columns of [[1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0, -1, 0, 1, 0], [0, 0, 2, -3, 0, 0, 0, 1, 0],
                           [-1, 0, 0, 0, 1, 0, 0, 0, 1], [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1]])
        for (const entry of [1, 3, 6, 8])
            for (const add of [2e-5, 1.5e-4, 1e-3, 0.05]) {
                const m = columns.map((value, i) => value + (i === entry ? add : 0));
                const matrix = [...m.slice(0, 3), 0, ...m.slice(3, 6), 0, ...m.slice(6), 0, 0, 0, 0, 1];
                yield edit(`${add} at ${entry} of the columns ${columns}`, (g) => { g.nodes[7] = {matrix}; });
            }
    yield edit('extension that is not declared', (g) => { g.extensionsUsed = ['KHR_materials_ior']; });
    yield edit('extension that is required but not used', (g) => { g.extensionsRequired = ['KHR_texture_transform']; });
    yield edit('no extensions used but one required', (g) => {
        delete g.extensionsUsed;
        delete g.materials[1].extensions;
        g.extensionsRequired = ['KHR_texture_transform'];
    });
    yield edit('an extension twice', (g) => { g.extensionsUsed.push('KHR_materials_unlit'); });
    yield edit('an extension that is a number', (g) => { g.materials[1].extensions.KHR_materials_unlit = 7; });
    for (const [version, minVersion] of [['2.0', '2.0'], ['2.1', '2.0'], ['2.5', '2.0'], ['2.0', '2.1'], ['2', '2'],
                                         ['3.0', '2.0'], ['1.0', '1.0'], ['x', '2.0'], ['2.0', 'x'], ['2.0', '3.0']])
        yield edit(`version ${version} that needs ${minVersion}`, (g) => { Object.assign(g.asset, {version, minVersion}); });
}

// --- text and container ---

function chunk(type, bytes) {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, bytes]);
}

function glb(chunks, header = {}) {
    const body = Buffer.concat(chunks), head = Buffer.alloc(12);
    head.write(header.magic || 'glTF', 0, 'latin1');
    head.writeUInt32LE(header.version === undefined ? 2 : header.version, 4);
    head.writeUInt32LE(12 + body.length + (header.more || 0), 8);
    return Buffer.concat([head, body]);
}

const padded = (bytes, fill) => Buffer.concat([bytes, Buffer.alloc((4 - bytes.length % 4) % 4, fill)]);

function* containers() {
    const model = valid(), bytes = Buffer.from(JSON.stringify(model.gltf)), plain = text(model);
    const json = chunk('JSON', padded(bytes, ' ')), bin = chunk('BIN\0', padded(model.bin, 0));
    const other = chunk('MORE', Buffer.alloc(4));
    const make = (name, content, extension = 'glb') => ({name, bytes: content, extension});
    yield make('glb', glb([json, bin]));
    yield make('glb with a chunk of another type', glb([json, bin, other]));
    yield make('glb with the buffer third', glb([json, other, bin]));
    yield make('glb with two buffers', glb([json, bin, bin]));
    yield make('glb with two texts', glb([json, bin, json]));
    yield make('glb with the buffer first', glb([bin, json]));
    yield make('glb without a buffer', glb([json]));
    yield make('glb with a text that is not padded', glb([chunk('JSON', Buffer.concat([padded(bytes, ' '),
                                                                                         Buffer.from(' ')])), bin]));
    yield make('glb with a buffer that is not padded', glb([json, chunk('BIN\0', Buffer.concat([padded(model.bin, 0),
                                                                                                  Buffer.alloc(1)]))]));
    yield make('glb with a text padded with zeros', glb([chunk('JSON', Buffer.concat([padded(bytes, ' '),
                                                                                        Buffer.alloc(4)])), bin]));
    yield make('glb with an empty text', glb([chunk('JSON', Buffer.alloc(0)), bin]));
    yield make('glb with an empty buffer', glb([json, chunk('BIN\0', Buffer.alloc(0))]));
    yield make('glb with bytes after the end', Buffer.concat([glb([json, bin]), Buffer.from('more')]));
    yield make('glb that ends early', glb([json, bin]).subarray(0, -8));
    yield make('glb that ends in a chunk header', glb([json, bin]).subarray(0, 12 + json.length + 4));
    yield make('glb that ends in its header', glb([json, bin]).subarray(0, 10));
    yield make('glb that says more than it has', glb([json, bin], {more: 100}));
    yield make('glb that says less than it has', glb([json, bin], {more: -100}));
    yield make('glb that says 4 bytes', glb([json, bin], {more: -8 - json.length - bin.length}));
    yield make('glb of version 1', glb([json, bin], {version: 1}));
    yield make('glb of version 3', glb([json, bin], {version: 3}));
    yield make('glb with another magic', glb([json, bin], {magic: 'glTG'}));
    yield make('byte order mark', Buffer.concat([Buffer.from([0xEF, 0xBB, 0xBF]), plain]), 'gltf');
    yield make('text that ends early', plain.subarray(0, plain.length - 10), 'gltf');
    yield make('text with a comma too many', Buffer.from(plain.toString().replace('"scene":0', '"scene":0,,')), 'gltf');
    yield make('text that is a list', Buffer.concat([Buffer.from('['), plain, Buffer.from(']')]), 'gltf');
    yield make('text that is a number', Buffer.from('7'), 'gltf');
    yield make('no text', Buffer.from(''), 'gltf');
    yield make('a URI in a glb', glb([chunk('JSON', padded(plain, ' '))]));
}

module.exports = {properties, byHand, containers};
