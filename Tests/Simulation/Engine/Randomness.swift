import Foundation
import PushBridgeTestSupport

// The product uses random ids, and it sorts items and records by their ids. In a life, the ids must be the
// same in every run. So on the threads of a life, Swift's random numbers are generated from the seed.

/// The random numbers of a thread, which are generated from a seed.
enum Randomness {
    private final class Source {
        var generator: SeededGenerator

        init(_ generator: SeededGenerator) {
            self.generator = generator
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Calls `body` on this thread, with random numbers that are generated from a seed.
    static func seeded<Value>(_ seed: UInt64, _ body: () throws -> Value) rethrows -> Value {
        let source = Unmanaged.passRetained(Source(SeededGenerator(seed: seed)))
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, source.toOpaque())
        defer {
            pthread_setspecific(key, outer)
            source.release()
        }
        return try body()
    }

    /// Fills a buffer with this thread's random numbers; returns `false` if the thread has no seed.
    fileprivate static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard let source = pthread_getspecific(key) else { return false }
        let held = Unmanaged<Source>.fromOpaque(source).takeUnretainedValue()
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: held.generator.next()) }
        return true
    }
}

#if os(Linux)
/// Replaces Foundation's function that makes random ids.
@_cdecl("_foundation_uuid_generate_random")
package func simulatedID(_ start: UnsafeMutableRawPointer) {
    simulatedRandom(start, 16)
    // A random id has version 4 and the variant of RFC 9562.
    let bytes = UnsafeMutableRawBufferPointer(start: start, count: 16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
}

/// Replaces the function that generates Swift's random numbers.
@_cdecl("swift_stdlib_random")
package func simulatedRandom(_ start: UnsafeMutableRawPointer, _ count: Int) {
    let buffer = UnsafeMutableRawBufferPointer(start: start, count: count)
    if Randomness.fill(buffer) { return }
    var filled = 0
    while filled < count {
        let length = min(count - filled, 256)
        guard getentropy(start + filled, length) == 0 else { continue }
        filled += length
    }
}
#endif
