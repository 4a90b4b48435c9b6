/* Calls the functions of heat_in_c.py: `python samples/heat_in_c.py` compiles and runs this. */
#include <stdio.h>
#include <stdlib.h>

#include "heat.h"
#include "slope.h"

static void show(const char *title, const double *u, int count) {
    printf("%s", title);
    for (int i = 0; i < count; i++) printf(" %10.6f", u[i]);
    printf("\n");
}

int main(void) {
    double u[5] = {0, 0, 100, 0, 0}, du[5], largest, mean;
    heat_shapes shapes = {5};
    const char *error;

    int64_t size = heat_workspace(&shapes);
    void *workspace = malloc(size);
    int status = heat(&shapes, u, 0.25, 10, &largest, &mean, workspace, size, &error);
    if (status != AUTOGRAPH_OK) {
        printf("status %d: %s\n", status, error);
        return 1;
    }
    printf("largest %.6f, mean %.6f\n", largest, mean);
    show("u    ", u, 5);
    free(workspace);

    size = slope_workspace();
    workspace = malloc(size);
    if (slope(u, du, workspace, size, &error) != AUTOGRAPH_OK) return 1;
    show("slope", du, 5);
    free(workspace);

    /* A size that no array has is a status, not a crash. */
    shapes.n = -1;
    status = heat(&shapes, u, 0.25, 10, &largest, &mean, NULL, 0, &error);
    printf("status %d: %s\n", status, error);
    return 0;
}
