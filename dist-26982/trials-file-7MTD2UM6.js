(function(use,load,meta,require){"use strict";const {h:a,i:b,j:c}=use("chunk-ARLMDFTD.js");use("chunk-WQC3BBXR.js");use("chunk-NULGIMYA.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                    

return{TrialsFile:b,TrialsFileError:a,asFileError:c}})