"""Models of scikit-learn and tables of pandas as constants of graphs: the bits of plain Python."""

import warnings

import numpy as np
import pytest
from library_programs import programs, same_bits

import runtime as rt

for _name in ("sklearn", "pandas"):
    pytest.importorskip(_name, reason="not installed: pip install autograph-numpy[packages]")

IMPORTS = """
import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, confusion_matrix, mean_squared_error
from sklearn.metrics import pairwise_distances, r2_score
from sklearn.metrics.pairwise import cosine_similarity, rbf_kernel
from sklearn.neighbors import KNeighborsRegressor, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler
from sklearn.preprocessing import normalize, scale
from sklearn.svm import SVC

line = LinearRegression().fit(POINTS, POINTS @ [1.0, 2.0, 3.0])
logistic = LogisticRegression().fit(POINTS, CLASSES)
standard = StandardScaler().fit(POINTS)
minimax = MinMaxScaler().fit(POINTS)
powers = PolynomialFeatures(2).fit(POINTS)
components = PCA(2).fit(POINTS)
clusters = KMeans(3, random_state=0, n_init=1).fit(POINTS)
support = SVC().fit(POINTS, CLASSES)
forest = RandomForestClassifier(4, random_state=0).fit(POINTS, CLASSES)
nearest = KNeighborsRegressor(3).fit(POINTS, POINTS[:, 0])
neighbours = NearestNeighbors(n_neighbors=2).fit(POINTS)
pipeline = make_pipeline(StandardScaler(), Ridge()).fit(POINTS, POINTS[:, 0])
table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]})
"""
PROGRAMS = """
x = FEW_POINTS: line.predict(x) * 2
x = FEW_POINTS: logistic.predict_proba(x)[:, 0]
x = FEW_POINTS: logistic.predict(x)
x = FEW_POINTS: standard.transform(x) + 1
x = FEW_POINTS: standard.inverse_transform(x)
x = FEW_POINTS: minimax.transform(x)
x = FEW_POINTS: powers.transform(x)
x = FEW_POINTS: np.sum(components.transform(x))
x = FEW_POINTS: clusters.predict(x)
x = FEW_POINTS: support.decision_function(x)
x = FEW_POINTS: forest.predict_proba(x)
x = FEW_POINTS: nearest.predict(x)
x = FEW_POINTS: neighbours.kneighbors(x)[0]
x = FEW_POINTS: pipeline.predict(x)
x = SIGNAL: mean_squared_error(x, x * 2)
x = SIGNAL: r2_score(x, x * 1.1)
x = SIGNAL: accuracy_score(x > 0, x > 0.5)
x = SIGNAL: confusion_matrix(x > 0, x > 0.5)
x = FEW_POINTS: pairwise_distances(x)
x, y = FEW_POINTS, POINTS: rbf_kernel(x, y)
x = FEW_POINTS: cosine_similarity(x)
x = FEW_POINTS: scale(x)
x = FEW_POINTS: normalize(x)
x = ROW[:2]: table.to_numpy() @ x
x = ROW[:2]: table.dot(x).to_numpy()
x = ROW: table["a"].searchsorted(x)
x = SIGNAL: pd.Series(x).rolling(2).mean().to_numpy()
x = POINTS: pd.DataFrame(x).describe().to_numpy()
x = SIGNAL: pd.cut(x, 3, labels=False)
x = SIGNAL: pd.Series(x).ewm(2).mean().iloc[-1]
x = SIGNAL: pd.Series(x).groupby([0, 1] * 16).sum().to_numpy()
"""
CALLS = programs(PROGRAMS, IMPORTS, "<calls of packages>")


@pytest.mark.parametrize("sizes", ["known", "unknown"])
@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda i: CALLS[i][0])
def test_calls_have_the_bits_of_python(number, sizes):
    _, function, arguments = CALLS[number]
    kinds = [rt.TensorSpec((None,) * one.ndim, one.dtype) for one in arguments]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function(*(one.copy() for one in arguments))
        staged = rt.function(function, input_signature=kinds if sizes == "unknown" else None)
        for _ in range(2):
            assert same_bits(staged(*(one.copy() for one in arguments)), expected)


def test_a_model_that_is_fitted_again_gives_its_new_results():
    from sklearn.linear_model import LinearRegression

    x = np.arange(6.0).reshape(3, 2)
    model = LinearRegression().fit(x, x[:, 0])
    predicted = rt.function(lambda x: model.predict(x) + 1)
    assert np.array_equal(predicted(x), model.predict(x) + 1)
    model.fit(x, x[:, 1] * 3)
    assert np.array_equal(predicted(x), model.predict(x) + 1)
