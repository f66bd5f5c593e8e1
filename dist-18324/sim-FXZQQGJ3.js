(function(use,load,meta,require){"use strict";use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                        var o={async open(t){let{open:i}=await load  ("./open-VMFDMHT4.js");return i(t)},async connect(t){let{connectSimulation:i}=await load  ("./connect-simulation-RWFH5H6E.js");return i(t)}};                        

return{Simulation:o}})