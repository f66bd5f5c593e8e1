(function(use,load,meta,require){"use strict";use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                        var o={async open(t){let{open:i}=await load  ("./open-WXCQHTFH.js");return i(t)},async connect(t){let{connectSimulation:i}=await load  ("./connect-simulation-WRUQBVH6.js");return i(t)}};                        

return{Simulation:o}})