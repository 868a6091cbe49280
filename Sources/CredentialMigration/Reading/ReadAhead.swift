import Dispatch
import PushBridgeCore
import PushBridgePlatform

/// Makes elements one after the other, and may fail on the way.
protocol ThrowingIterator: SendableMetatype {
    associatedtype Element: Sendable

    /// The next element, `nil` at the end.
    mutating func next() throws -> Element?
}

/// Lets an iterator make its next element on another thread while the caller works with this one.
///
/// One element is made at a time, in order, and at most one waits: it costs one element of memory and uses a second
/// core. The iterator is made on that thread too and never leaves it.
final class ReadAhead<Iterator: ThrowingIterator>: Sendable {
    private let iterator = Lock<Iterator?>(nil)
    private let made = Lock<Result<Iterator.Element?, any Error>>(.success(nil))
    private let isMade = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "ReadAhead")
    private let start: @Sendable () throws -> Iterator

    /// Begins with the first element.
    init(_ start: @escaping @Sendable () throws -> Iterator) {
        self.start = start
        begin()
    }

    /// The next element, `nil` at the end; throws what the iterator threw.
    ///
    /// Not to be called after either.
    func next() throws -> Iterator.Element? {
        isMade.wait()
        let element = try made.withValue { $0 }.get()
        if element != nil { begin() }
        return element
    }

    private func begin() {
        queue.async { [self] in
            let result = Result {
                try iterator.withValue { iterator in
                    var current = try iterator ?? start()
                    defer { iterator = current }
                    return try current.next()
                }
            }
            made.withValue { $0 = result }
            isMade.signal()
        }
    }
}
