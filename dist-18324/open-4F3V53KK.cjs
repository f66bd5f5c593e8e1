require('../bin/start.js').use('open-4F3V53KK.js');
