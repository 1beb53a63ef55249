pub struct RailFence;

impl RailFence {
    pub fn new(rails: u32) -> RailFence {
        todo!("Construct a new fence with {rails} rails")
    }

    pub fn encode(&self, text: &str) -> String {
        todo!("Encode this text: {text}")
    }

    pub fn decode(&self, cipher: &str) -> String {
        todo!("Decode this ciphertext: {cipher}")
    }
}
