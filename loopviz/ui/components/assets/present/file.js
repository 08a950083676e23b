const root = document.querySelector(".present"), told = document.getElementById("told");
if (told) bindReplay(root, JSON.parse(told.textContent));
