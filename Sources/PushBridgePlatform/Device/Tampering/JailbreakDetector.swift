/// Looks for one kind of sign that the device was tampered with.
public protocol JailbreakDetector {
    /// How certain the sign is: 0 is none, 1 is proof.
    ///
    /// Called on any thread.
    func analyze() -> Double
}
