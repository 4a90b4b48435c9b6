/* The rows of the table of `make bench` as one would write them in C.

   Each function gets its operands in order, and the result last.  `seconds_of` calls it again and
   again, so that times have no cost of Python.  `limits.py` compiles this file and compares the results. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    void *data;
    int64_t shape[4];
} Operand;

#define SCALAR(type, i) (*(type *)operands[i].data)
#define ARRAY(type, i) ((type *)operands[i].data)
#define SIZE(i, axis) (operands[i].shape[axis])

double seconds_of(void (*row)(Operand *), Operand *operands, int64_t calls) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int64_t i = 0; i < calls; i++)
        row(operands);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec);
}

static int64_t steps_from(int64_t a) {
    int64_t steps = 0;
    while (a != 1) {
        a = a % 2 == 0 ? a / 2 : 3 * a + 1;
        steps++;
    }
    return steps;
}

void collatz(Operand *operands) { SCALAR(int64_t, 1) = steps_from(SCALAR(int64_t, 0)); }

void collatz_sum(Operand *operands) {
    int64_t total = 0, n = SCALAR(int64_t, 0);
    for (int64_t i = 1; i <= n; i++)
        total += steps_from(i);
    SCALAR(int64_t, 1) = total;
}

/* Rounded as in Python, since it decides how many iterations there are. */
__attribute__((optimize("no-fast-math", "fp-contract=off"))) void mandelbrot(Operand *operands) {
    int64_t height = SCALAR(int64_t, 0), width = SCALAR(int64_t, 1), most = SCALAR(int64_t, 2);
    int32_t *counts = ARRAY(int32_t, 3);
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < width; j++) {
            double real = 0, imaginary = 0;
            int32_t k = 0;
            while (k < most && real * real + imaginary * imaginary <= 4.0) {
                double next = real * real - imaginary * imaginary - 2.0 + 3.0 * j / width;
                imaginary = 2.0 * real * imaginary - 1.5 + 3.0 * i / height;
                real = next;
                k++;
            }
            counts[i * width + j] = k;
        }
}

void levenshtein(Operand *operands) {
    int64_t *a = ARRAY(int64_t, 0), *b = ARRAY(int64_t, 1), n = SIZE(0, 0), m = SIZE(1, 0);
    int64_t *row = malloc((m + 1) * sizeof *row);
    for (int64_t j = 0; j <= m; j++)
        row[j] = j;
    for (int64_t i = 0; i < n; i++) {
        int64_t diagonal = row[0];
        row[0] = i + 1;
        for (int64_t j = 0; j < m; j++) {
            int64_t least = diagonal + (a[i] != b[j]);
            least = row[j] + 1 < least ? row[j] + 1 : least;
            least = row[j + 1] + 1 < least ? row[j + 1] + 1 : least;
            diagonal = row[j + 1];
            row[j + 1] = least;
        }
    }
    SCALAR(int64_t, 2) = row[m];
    free(row);
}

void sieve(Operand *operands) {
    int64_t n = SCALAR(int64_t, 0);
    uint8_t *flags = ARRAY(uint8_t, 1);
    memset(flags, 1, n + 1);
    flags[0] = flags[1] = 0;
    for (int64_t i = 2; i * i <= n; i++)
        if (flags[i])
            for (int64_t j = i * i; j <= n; j += i)
                flags[j] = 0;
}

typedef struct {
    int64_t *data, length, room;
} List;

static void append(List *list, int64_t value) {
    if (list->length == list->room) {
        list->room = list->room ? 2 * list->room : 8;
        list->data = realloc(list->data, list->room * sizeof *list->data);
    }
    list->data[list->length++] = value;
}

void squares(Operand *operands) {
    List found = {0};
    for (int64_t i = 0; i < SCALAR(int64_t, 0); i++)
        append(&found, i * i);
    memcpy(operands[1].data, found.data, found.length * sizeof *found.data);
    free(found.data);
}

void primes(Operand *operands) {
    List found = {0};
    for (int64_t k = 2; k < SCALAR(int64_t, 0); k++) {
        int is_prime = 1;
        for (int64_t i = 0; i < found.length && found.data[i] * found.data[i] <= k; i++)
            if (k % found.data[i] == 0) {
                is_prime = 0;
                break;
            }
        if (is_prime)
            append(&found, k);
    }
    SCALAR(int64_t, 1) = found.length;
    free(found.data);
}

void chain(Operand *operands) {
    double *x = ARRAY(double, 0), *y = ARRAY(double, 1);
    for (int64_t i = 0; i < SIZE(0, 0); i++)
        y[i] = x[i];
    for (int k = 0; k < 50; k++)
        for (int64_t i = 0; i < SIZE(0, 0); i++)
            y[i] = y[i] * 1.01 + 0.5;
}

void fused_sum_of_f32(Operand *operands) {
    float *x = ARRAY(float, 0), total = 0;
    for (int64_t i = 0; i < SIZE(0, 0); i++)
        total += tanhf(x[i]) * expf(x[i]);
    SCALAR(float, 1) = total;
}

void fused_sum_of_f64(Operand *operands) {
    double *x = ARRAY(double, 0), total = 0;
    for (int64_t i = 0; i < SIZE(0, 0); i++)
        total += tanh(x[i]) * exp(x[i]);
    SCALAR(double, 1) = total;
}

void softmax(Operand *operands) {
    int64_t n = SIZE(0, 0), m = SIZE(0, 1);
    for (int64_t i = 0; i < n; i++) {
        double *x = ARRAY(double, 0) + i * m, *y = ARRAY(double, 1) + i * m;
        double most = -INFINITY, total = 0;
        for (int64_t j = 0; j < m; j++)
            most = x[j] > most ? x[j] : most;
        for (int64_t j = 0; j < m; j++)
            total += y[j] = exp(x[j] - most);
        for (int64_t j = 0; j < m; j++)
            y[j] /= total;
    }
}

void jacobi(Operand *operands) {
    int64_t n = SIZE(0, 0), m = SIZE(0, 1), sweeps = SCALAR(int64_t, 1);
    double *x = ARRAY(double, 2), *old = malloc(n * m * sizeof *old);
    memcpy(x, operands[0].data, n * m * sizeof *x);
    for (int64_t k = 0; k < sweeps; k++) {
        memcpy(old, x, n * m * sizeof *x);
        for (int64_t i = 1; i < n - 1; i++)
            for (int64_t j = 1; j < m - 1; j++) {
                double *at = old + i * m + j;
                x[i * m + j] = 0.25 * (at[-m] + at[m] + at[-1] + at[1]);
            }
    }
    free(old);
}

void descent(Operand *operands) {
    int64_t n = SIZE(1, 0), m = SIZE(1, 1), steps = SCALAR(int64_t, 3);
    double *x = ARRAY(double, 1), *y = ARRAY(double, 2), *w = ARRAY(double, 4);
    double *slope = malloc(m * sizeof *slope);
    memcpy(w, operands[0].data, m * sizeof *w);
    for (int64_t k = 0; k < steps; k++) {
        memset(slope, 0, m * sizeof *slope);
        for (int64_t i = 0; i < n; i++) {
            double difference = -y[i];
            for (int64_t j = 0; j < m; j++)
                difference += x[i * m + j] * w[j];
            for (int64_t j = 0; j < m; j++)
                slope[j] += x[i * m + j] * difference;
        }
        for (int64_t j = 0; j < m; j++)
            w[j] -= 0.01 * slope[j];
    }
    free(slope);
}

static void add_product(float *sums, float *x, float *w, int64_t inner, int64_t width) {
    for (int64_t k = 0; k < inner; k++)
        for (int64_t j = 0; j < width; j++)
            sums[j] += x[k] * w[k * width + j];
}

void recurrent(Operand *operands) {
    int64_t batch = SIZE(1, 0), width = SIZE(1, 1), inner = SIZE(0, 2), steps = SCALAR(int64_t, 5);
    float *x = ARRAY(float, 0), *h = ARRAY(float, 6), *bias = ARRAY(float, 4);
    float *sums = malloc(width * sizeof *sums);
    memcpy(h, operands[1].data, batch * width * sizeof *h);
    for (int64_t i = 0; i < steps; i++)
        for (int64_t b = 0; b < batch; b++) {
            memcpy(sums, bias, width * sizeof *sums);
            add_product(sums, x + (i * batch + b) * inner, ARRAY(float, 2), inner, width);
            add_product(sums, h + b * width, ARRAY(float, 3), width, width);
            for (int64_t j = 0; j < width; j++)
                h[b * width + j] = tanhf(sums[j]);
        }
    free(sums);
}

void slope_of_chain(Operand *operands) {
    int64_t n = SIZE(0, 0), steps = 100;
    double *x = ARRAY(double, 0), *w = ARRAY(double, 1), *slope = ARRAY(double, 2);
    double *kept = malloc(steps * n * sizeof *kept);
    for (int64_t k = 0; k < steps; k++)
        for (int64_t i = 0; i < n; i++)
            kept[k * n + i] = tanh(w[i] * (k ? kept[(k - 1) * n + i] : x[i]));
    for (int64_t i = 0; i < n; i++)
        slope[i] = 1.0;
    for (int64_t k = steps - 1; k >= 0; k--)
        for (int64_t i = 0; i < n; i++)
            slope[i] *= w[i] * (1.0 - kept[k * n + i] * kept[k * n + i]);
    free(kept);
}

void slope_of_loop(Operand *operands) {
    double x = SCALAR(double, 0), w = SCALAR(double, 1), slope = 1.0;
    int64_t steps = SCALAR(int64_t, 2);
    double *kept = malloc(steps * sizeof *kept);
    for (int64_t k = 0; k < steps; k++)
        kept[k] = x = x * w * (1.5 - x);
    x = SCALAR(double, 0);
    for (int64_t k = steps - 1; k >= 0; k--)
        slope *= w * (1.5 - 2.0 * (k ? kept[k - 1] : x));
    SCALAR(double, 3) = slope;
    free(kept);
}
