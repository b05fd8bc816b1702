-- Run by LuaLaTeX before anything else (docs/decisions/120-lualatex.md). The box is what holds a document's Lua; this takes
-- away what no document needs. LuaTeX's own start-up does the same with the shell, with ffi and with package.loadlib.

-- in one kind of box the kernel's call does not exist, and what it tells of the machine concerns nobody
function os.uname()
  return { sysname = 'Linux', nodename = 'box', release = '', version = '', machine = 'x86_64' }
end

-- a document that sleeps would keep others waiting without using any of its own time
local function awake() end
os.sleep, os.socketsleep = awake, awake

-- libraries of machine code
package.cpath = ''
package.searchers[4], package.searchers[3] = nil, nil
