// What every call is given: limits of time and memory, threads, and a way out.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#elif defined(_WIN32)
#include <malloc.h>
#endif

#include "numbers.hpp"

namespace tallyplan::TP_VARIANT {

// Run the body of a function of the interface; its exceptions become a status.
template <class Body>
i32 guarded(Body body) {
    try {
        body();
        return TP_DONE;
    } catch (const Status& status) {
        return status.code;
    } catch (const std::bad_alloc&) {
        return TP_TOO_LARGE;
    }
}

// The threads of a call. They start when they are first needed and stay until it ends: one that has just been
// made often has to wait for the core of the one that made it.
class Team {
 public:
    ~Team() {
        begin(nullptr);
        for (auto& thread : threads_) thread.join();
    }

    // Cut [0, count) into at most `most` pieces; work(first, last, piece) treats one of them. What a piece
    // throws reaches the caller after all have ended.
    template <class Work>
    void share(i64 count, i64 most, Work work) {
        try {
            while (size() < most)
                threads_.emplace_back([this, i = size(), round = round_.load()] { serve(i, round); });
        } catch (const std::system_error&) {  // the system has none left
        }
        const i64 pieces = std::min(most, size());
        std::vector<i32> codes(pieces, TP_DONE);
        const auto treat = [&](i64 i) {
            if (i < pieces)
                codes[i] = guarded([&] { work(count * i / pieces, count * (i + 1) / pieces, i); });
        };
        if (pieces > 1) begin(treat);
        treat(0);
        for (i32 busy; pieces > 1 && (busy = busy_) > 0;) busy_.wait(busy);
        for (const i32 code : codes)
            if (code != TP_DONE) throw Status{code};
    }

 private:
    i64 size() const { return static_cast<i64>(threads_.size()) + 1; }

    // What a thread does: its piece of each job, until there is none.
    void serve(i64 piece, i32 round) {
        for (;; ++round) {
            round_.wait(round);
            if (!job_) return;
            job_(piece);
            if (--busy_ == 0) busy_.notify_one();
        }
    }

    void begin(std::function<void(i64)> job) {
        job_ = std::move(job);
        busy_ = static_cast<i32>(threads_.size());
        ++round_;
        round_.notify_all();
    }

    std::vector<std::thread> threads_;
    std::function<void(i64)> job_;
    std::atomic<i32> round_ = 0, busy_ = 0;  // how many jobs have begun, and how many threads are at the last
};

// Looks at the clock and at the caller's flag. Loops call `tick` at least every 50 ms; `tick(turns)` looks
// after every 2^14th turn.
class Watch {
 public:
    explicit Watch(tp_limits& limits)
        : limits_(limits),
          end_(limits.nanoseconds < 0 ? Clock::time_point::max()
                                      : Clock::now() + std::chrono::nanoseconds(limits.nanoseconds)) {}

    void tick(i64 turns = 0) const {
        if (turns % (1 << 14) != 0) return;
        if (asked_to_stop() || (limits_.nanoseconds >= 0 && Clock::now() > end_)) throw Status{TP_STOPPED};
    }

    void progress(i64 sweeps) { static_cast<volatile i64&>(limits_.progress) = sweeps; }

    // Refuse what needs more memory than there may be; nothing has been taken yet.
    void require(wide bytes) {
        if (bytes <= limits_.memory) return;
        limits_.needed = bytes < largest<i64>() ? static_cast<i64>(bytes) : std::numeric_limits<i64>::max();
        throw Status{TP_TOO_LARGE};
    }

    // Whether the caller has asked to stop, so that he takes what there is.
    bool asked_to_stop() const { return limits_.stop && *static_cast<const volatile i32*>(limits_.stop); }

    i64 memory() const { return limits_.memory; }
    i64 threads() const { return std::max<i64>(1, limits_.threads); }
    Team& team() const { return team_; }

 private:
    using Clock = std::chrono::steady_clock;
    tp_limits& limits_;
    Clock::time_point end_;
    mutable Team team_;
};

// An array that a result may take over.
struct Free {
    void operator()(void* pointer) const { tp_free(pointer); }
};

template <class Number>
using Array = std::unique_ptr<Number[], Free>;

// Zeros, or whatever was there, aligned so that vectors of any width are. Linux is asked for large pages
// where there are many numbers: they take far less time to get and to look up.
template <class Number>
Array<Number> array_of(i64 size, bool zeros = true) {
    constexpr std::size_t line = 128, page = std::size_t{1} << 21;
    const std::size_t bytes = static_cast<std::size_t>(std::max<i64>(1, size)) * sizeof(Number);
    const std::size_t unit = bytes < page ? line : page, whole = (bytes + unit - 1) / unit * unit;
#if defined(_WIN32)
    void* const room = _aligned_malloc(whole, unit);
#else
    void* const room = std::aligned_alloc(unit, whole);
#endif
    if (!room) throw std::bad_alloc();
#if defined(__linux__)
    if (unit == page) madvise(room, whole, MADV_HUGEPAGE);
#endif
    if (zeros) std::memset(room, 0, bytes);
    return Array<Number>(static_cast<Number*>(room));
}

// Numbers of 128 bits as the interface has them.
inline wide joined(tp_number number) {
    return static_cast<wide>((static_cast<unsigned __int128>(static_cast<std::uint64_t>(number.high)) << 64) |
                             static_cast<std::uint64_t>(number.low));
}

// What a function of the interface finds.
class Answer {
 public:
    explicit Answer(tp_found& found) : found_(found) {}

    void add(i64 number) { numbers_.push_back(number); }

    void add_wide(wide number) {
        add(static_cast<i64>(number));
        add(static_cast<i64>(number >> 64));
    }

    void add_all(const std::vector<i32>& codes) {
        numbers_.insert(numbers_.end(), codes.begin(), codes.end());
    }

    // The values, by state.
    template <class Int>
    void take(Array<Int> values, i64 states) {
        found_.values = values.release();
        found_.states = states;
        found_.bytes = sizeof(Int);
    }

    void hand_over() {
        auto made = array_of<i64>(static_cast<i64>(numbers_.size()));
        std::copy(numbers_.begin(), numbers_.end(), made.get());
        found_.count = static_cast<i64>(numbers_.size());
        found_.numbers = made.release();
    }

 private:
    tp_found& found_;
    std::vector<i64> numbers_;
};

// Answer a question within limits: body(watch, answer).
template <class Body>
i32 answered(tp_limits* limits, tp_found* found, Body body) {
    return guarded([&] {
        Watch watch(*limits);
        Answer answer(*found);
        body(watch, answer);
        answer.hand_over();
    });
}

}  // namespace tallyplan::TP_VARIANT
