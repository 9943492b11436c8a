const agentwire = require("agentwire");

import("./exercise.mjs").then(({ exercise }) => {
  console.log(JSON.stringify(exercise(agentwire)));
});
