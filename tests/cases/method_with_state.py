"""Attributes that a branch writes are found when it is staged."""

import numpy as np


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.refused = 0

    def withdraw(self, amount):
        if amount <= self.balance:
            self.balance -= amount
        else:
            self.refused += 1
        return self.balance


def f(balance, amount):
    account = Account(balance)
    account.withdraw(amount)
    account.withdraw(amount)
    return account.balance, account.refused


INPUTS = [(100, 30), (100, 60), (10, 60)]
STAGED = [(np.int64(100), np.int64(30)), (np.int64(100), np.int64(60))]


# == generated ==

def f(balance, amount):
    account = ag__.converted_call(Account)(balance)
    ag__.converted_call(account.withdraw)(amount)
    ag__.converted_call(account.withdraw)(amount)
    return (account.balance, account.refused)


# == graph ==

def f(balance: i64, amount: i64):
    p: b1 = less_equal(amount, balance)  # method_with_state.py:12

    def then():
        v: i64 = subtract(balance, amount)  # method_with_state.py:13
        return v, 0

    def orelse():
        return balance, 1
    self_balance, self_refused = cond(p, then=then, orelse=orelse)  # method_with_state.py:12
    p_1: b1 = less_equal(amount, self_balance)  # method_with_state.py:12

    def then_1():
        v_1: i64 = subtract(self_balance, amount)  # method_with_state.py:13
        return v_1, self_refused

    def orelse_1():
        v_2: int = add(self_refused, 1)  # method_with_state.py:15
        return self_balance, v_2
    self_balance_1, self_refused_1 = cond(p_1, then=then_1, orelse=orelse_1)  # method_with_state.py:12
    return self_balance_1, self_refused_1
